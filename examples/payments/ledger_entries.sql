-- The effect of a payment: one entry in the ledger. The key on event_id is not what deduplicates; it is the second
-- pair of eyes that the tests look through.
create table if not exists ledger_entries (
  event_id text not null,
  account text not null,
  amount_cents bigint not null,
  booked_at timestamptz not null,
  constraint ledger_entries_book_an_event_once primary key (event_id)
);
