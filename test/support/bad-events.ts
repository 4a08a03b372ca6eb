import type { RecordToSend } from '../../src/kafka/kafka-producer.ts'
import { payment } from './payments.ts'

/** Ways in which the database refuses the effect of one event: what makes it refuse, and such an event. */
export const REFUSALS: Record<string, { sql: string; bad: (id: string) => RecordToSend; sqlstate: string }> =
  {
    'violates a check': {
      sql: 'alter table ledger_entries add constraint amounts_are_positive check (amount_cents > 0)',
      bad: (id) => payment(id, { amountCents: -1 }),
      sqlstate: '23514',
    },
    'violates a constraint that is deferred to the commit': {
      sql: `create table accounts (name text primary key);
          insert into accounts values ('acct_7');
          alter table ledger_entries add constraint accounts_exist
            foreign key (account) references accounts deferrable initially deferred`,
      bad: (id) => payment(id, { key: 'acct_unknown' }),
      sqlstate: '23503',
    },
    'makes a trigger raise': {
      sql: `create function refuse() returns trigger language plpgsql as $$
          begin
            if new.amount_cents = 666 then raise exception 'refused'; end if;
            return new;
          end $$;
          create trigger refuse before insert on ledger_entries for each row execute function refuse()`,
      bad: (id) => payment(id, { amountCents: 666 }),
      sqlstate: 'P0001',
    },
  }

/** Records that carry no event id, and then some whose value or key cannot be read. */
export function brokenRecords(): RecordToSend[] {
  const withId = (id: string | Buffer): RecordToSend => ({
    ...payment('unused'),
    headers: { 'event-id': id },
  })
  return [
    { key: 'acct_7', value: '{}', headers: {} },
    withId(''),
    withId('a\0b'),
    // A lone surrogate, as careless encoders write it.
    withId(Buffer.from([0xed, 0xa0, 0x80])),
    withId('x'.repeat(256)),
    { ...payment('not-json'), value: '{"account": "acct_7"' },
    { ...payment('not-utf8'), value: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
    { ...payment('empty'), value: '' },
    { ...payment('key-not-utf8'), key: Buffer.from([0xff]) },
  ]
}
