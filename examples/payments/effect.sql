-- One entry per payment. `events` holds the new events of a batch, a row each.
insert into ledger_entries (event_id, account, amount_cents, booked_at)
select e.event_id, e.value ->> 'account', (e.value ->> 'amountCents')::bigint, e.record_timestamp
  from events e
