import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownCallerCommand } from '#devnet/cli/own-caller-command'
import { startCallerWorld } from '#devnet/scenarios/start-caller-world'
import { systemClock } from '#protocol/clock/system-clock'
import { quoteWord, runConformance, selectCases, type Targets } from '../conformance/index.ts'

const example = (name: string) =>
  [process.execPath, join(import.meta.dirname, '../../../devnet/docs', name)]
    .map(quoteWord)
    .join(' ')

async function failuresOf(targets: Targets, only: string) {
  const cases = selectCases(only)
  const run = await runConformance({ targets, cases, clock: systemClock, startCallerWorld })
  expect(run.cases.length).toBe(cases.length)
  return run.cases
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, reason, failure }) => ({ id, reason, failure }))
}

test('given our own registrar, then it passes (ATT-13, ATT-14)', async () => {
  const registrar = ownCallerCommand('registrar')
  const only = 'caller.registrar.challenge.01,caller.registrar.other-key.01'
  expect(await failuresOf({ registrar }, only)).toEqual([])
}, 200_000)

test('given our own proposer and challenger, then they pass (PIPE-23, PIPE-24, PIPE-25, PIPE-26, SIG-06)', async () => {
  const targets = {
    proposer: ownCallerCommand('proposer'),
    challenger: ownCallerCommand('challenger'),
  }
  const only = 'caller.proposer.proposal.01,caller.challenger.settled.01'
  expect(await failuresOf(targets, only)).toEqual([])
}, 200_000)

test('given the client of the guide, when its line breaks, then it tells every log once (RPC-WS-03)', async () => {
  const client = example('own-client.ts')
  expect(await failuresOf({ client }, 'caller.client.cut-line.01')).toEqual([])
}, 200_000)

test('given the examples of own-actors.md, when somebody else is faster, then they send nothing (PIPE-23)', async () => {
  const targets = {
    proposer: example('own-proposer.ts'),
    challenger: example('own-challenger.ts'),
  }
  const only = 'caller.proposer.exists.01,caller.challenger.settled.01'
  expect(await failuresOf(targets, only)).toEqual([])
}, 200_000)
