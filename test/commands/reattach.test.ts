import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableWithOldDays } from '../maintenance/interrupted-table.ts'
import { runDaymark } from '../support/daymark-process.ts'

test('a day is parked and brought back by two commands, and every refusal is a sentence', async () => {
  const { db, old, older } = await tableWithOldDays()
  await using _ = db
  const daymark = (args: string[], retention = '8 days') =>
    runDaymark(args, { DATABASE_URL: db.settings.url ?? '', DAYMARK_MAINTENANCE_RETENTION: retention })

  const plan = await daymark(['plan', '--keep-detached', '24h'])
  assert.match(plan.stdout, new RegExp(`park ${old} until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d: ended `))
  assert.doesNotMatch(plan.stdout, /drop table/)

  const applied = await daymark(['apply', '--keep-detached', '24h'])
  assert.equal(applied.exitCode, 0, applied.stdout + applied.stderr)
  assert.match(applied.stdout, new RegExp(`done +remove-day +\\d+ ms +park ${older} until`))

  const early = await daymark(['reattach', old])
  assert.equal(early.exitCode, 1)
  assert.match(early.stdout, /refused .*the next run would remove it again/)
  const unfit = await daymark(['reattach', older], '30 days')
  assert.equal(unfit.exitCode, 1)
  assert.match(unfit.stdout, new RegExp(`Bring ${old} back first`))
  const back = await daymark(['reattach', old, '--json'], '30 days')
  assert.equal(back.exitCode, 0, back.stdout + back.stderr)
  assert.deepEqual(
    JSON.parse(back.stdout).run.steps.map(({ step }: { step: { kind: string; day: string } }) => [
      step.kind,
      step.day,
    ]),
    [['reattach-day', old]],
  )

  for (const [args, sentence] of [
    [['reattach', 'yesterday'], /expected the day to be written like '2026-08-01', got 'yesterday'/],
    [
      ['reattach', old, '--table', 'public.none'],
      /expected --table to be one of daymark.processed_events, got/,
    ],
    [['apply', '--keep-detached', '24'], /expected --keep-detached to be a duration with its unit/],
  ] as const) {
    const { exitCode, stderr } = await daymark([...args])
    assert.equal(exitCode, 2, stderr)
    assert.match(stderr, sentence)
  }
})
