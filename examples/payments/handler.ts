import { defineHandler } from '../../src/index.ts'

type Payment = { readonly account: string; readonly amountCents: number }

/**
 * One entry per payment, all new payments of a batch in one statement: arrays through `unnest`, because a parameter
 * per value ends at 65,535 of them.
 */
export const handler = defineHandler({
  async apply(events, tx) {
    const payments = events.map((event) => event.value as Payment)
    await tx.query(
      `insert into ledger_entries (event_id, account, amount_cents, booked_at)
       select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[])`,
      [
        events.map((event) => event.eventId),
        payments.map((payment) => payment.account),
        payments.map((payment) => payment.amountCents),
        events.map((event) => event.recordTimestamp.toISOString()),
      ],
    )
  },
})
