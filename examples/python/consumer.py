"""The runbook's consumer, on daymark's table: a marker and the effect in one transaction, then the offset.

    DATABASE_URL=postgres://… KAFKA_BROKERS=… KAFKA_GROUP_ID=ledger-writer KAFKA_TOPIC=payments python3 consumer.py

Needs psycopg 3 and confluent-kafka; docs/other-languages.md says what is left to you.
"""

import json
import os
import signal
from pathlib import Path

import psycopg
from confluent_kafka import TIMESTAMP_NOT_AVAILABLE, Consumer, KafkaException

GROUP = os.environ["KAFKA_GROUP_ID"]
MARK = (Path(__file__).parent / "mark.sql").read_text()


def apply_effect(event_id, record, tx):
    payment = json.loads(record.value())
    tx.execute(
        "insert into ledger_entries (event_id, account, amount_cents) values (%s, %s, %s)",
        (event_id, payment["account"], payment["amountCents"]),
    )


def handle(record, conn):
    event_id = dict(record.headers() or [])["event-id"].decode("utf-8")
    kind, timestamp_ms = record.timestamp()
    if kind == TIMESTAMP_NOT_AVAILABLE:
        raise ValueError(f"{record.topic()}[{record.partition()}]@{record.offset()} has no timestamp to take its day from")
    outcome = "new"
    with conn.transaction():
        outcome = conn.execute(
            MARK,
            {
                "group": GROUP,
                "event_id": event_id,
                "timestamp_ms": timestamp_ms,
                "topic": record.topic(),
                "partition": record.partition(),
                "offset": record.offset(),
            },
        ).fetchone()[0]
        if outcome != "new":
            # Takes back the one marker of two that was new near midnight.
            raise psycopg.Rollback()
        apply_effect(event_id, record, conn)
    return event_id, "processed" if outcome == "new" else outcome


def main():
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA_BROKERS"],
            "group.id": GROUP,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            # How long the partitions of a process that was killed wait for another one.
            "session.timeout.ms": 10_000,
        }
    )
    consumer.subscribe([os.environ["KAFKA_TOPIC"]])
    stopping = False

    def stop(*_):
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    # autocommit: a transaction is what `conn.transaction()` makes one, and commits when its block ends.
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as conn:
        try:
            while not stopping:
                record = consumer.poll(1.0)
                if record is None:
                    continue
                if record.error():
                    raise KafkaException(record.error())
                event_id, outcome = handle(record, conn)
                # Only now: a process that dies before this line has the record delivered again, to no effect.
                consumer.commit(record, asynchronous=False)
                place = f"{record.topic()}[{record.partition()}]@{record.offset()}"
                print(f"event_id={event_id} consumer_group={GROUP} outcome={outcome} {place}", flush=True)
        finally:
            consumer.close()


if __name__ == "__main__":
    main()
