import { handler as batchHandler } from '../../examples/payments/handler.ts'
import { defineHandler, type Handler } from '../../src/consumer/handler.ts'
import { ledgerEffect } from './test-consumer.ts'

type Payment = { readonly account: string; readonly amountCents: number }

/** The same effect, an entry in the ledger, in each form that a handler can have. */
export const FORMS: readonly (readonly [name: string, handler: Handler])[] = [
  ['a statement that is fused with the markers', ledgerEffect],
  [
    'a statement that runs by itself',
    {
      kind: 'sql',
      text: `with booked as (
               insert into ledger_entries (event_id, account, amount_cents, booked_at)
               select event_id, value ->> 'account', (value ->> 'amountCents')::bigint, record_timestamp from events
               returning event_id
             )
             select count(*) from booked`,
    },
  ],
  ['TypeScript for a whole batch', batchHandler],
  [
    'TypeScript event by event',
    defineHandler({
      async applyEach(event, tx) {
        const { account, amountCents } = event.value as Payment
        await tx.query(
          'insert into ledger_entries (event_id, account, amount_cents, booked_at) values ($1, $2, $3, $4)',
          [event.eventId, account, amountCents, event.recordTimestamp.toISOString()],
        )
      },
    }),
  ],
]
