import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownCallerCommand } from '#devnet/cli/own-caller-command'
import { createWorldProcess } from '#devnet/scenarios/create-world-process'
import { makeMistake } from '#mocks/index'
import { systemClock } from '#protocol/clock/system-clock'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import {
  type Profile,
  quoteWord,
  runConformance,
  selectCases,
  type Targets,
} from '../conformance/index.ts'

const example = (name: string) =>
  [process.execPath, join(import.meta.dirname, '../../../devnet/docs', name)]
    .map(quoteWord)
    .join(' ')

/** A world each: a commit judges three of the five, the night all. */
const drawn = drawShare(
  drawnBy,
  ['own registrar', 'own proposer', 'client', 'mistakes', 'examples'],
  1 / 2,
)

const { start: startCallerWorld, stop: stopWorlds } = createWorldProcess()
afterAll(stopWorlds)

async function judge(targets: Targets, only: string, profile: Profile = 'spec') {
  const cases = selectCases(only)
  const run = await runConformance({
    ...{ targets, cases, profile, clock: systemClock, startCallerWorld },
  })
  expect(run.cases.length).toBe(cases.length)
  return run.cases
}

async function failuresOf(targets: Targets, only: string) {
  return failuresIn(await judge(targets, only))
}

function failuresIn(results: Awaited<ReturnType<typeof judge>>) {
  return results
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, reason, failure }) => ({ id, reason, failure }))
}

test.runIf(drawn.includes('own registrar'))(
  'given our own registrar, then it passes (ATT-13, ATT-14)',
  async () => {
    const registrar = ownCallerCommand('registrar')
    const only = 'caller.registrar.challenge.01,caller.registrar.other-key.01'
    expect(await failuresOf({ registrar }, only)).toEqual([])
  },
  200_000,
)

test.runIf(drawn.includes('own proposer'))(
  'given our own proposer and challenger, then they pass (PIPE-23, PIPE-24, PIPE-25, PIPE-26, SIG-06)',
  async () => {
    const targets = {
      proposer: ownCallerCommand('proposer'),
      challenger: ownCallerCommand('challenger'),
    }
    const only = 'caller.proposer.proposal.01,caller.challenger.settled.01'
    const results = await judge(targets, only)
    expect(failuresIn(results)).toEqual([])
    const { exchanges } = results.find(({ id }) => id === 'caller.proposer.proposal.01')!
    const requests = exchanges.map(({ request }) => JSON.parse(request))
    expect(requests.map(({ method }) => method)).toContain('prover_prove')
    // Told by the names of the contract's own arguments.
    expect(requests.find(({ method }) => method === 'eth_sendRawTransaction')?.sent).toMatchObject({
      call: 'createWithInitData',
      args: { rootClaim: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
  },
  200_000,
)

test.runIf(drawn.includes('client'))(
  'given the client of the guide, when its line breaks, then it tells every log once (RPC-WS-03)',
  async () => {
    const client = example('own-client.ts')
    expect(await failuresOf({ client }, 'caller.client.cut-line.01')).toEqual([])
  },
  200_000,
)

test.runIf(drawn.includes('mistakes'))(
  'given a proposer with a mistake, then the failure names what it did otherwise, and why L1 refused it (SIG-06, PIPE-25)',
  async () => {
    const file = 'own-proposer.ts'
    const mistakes = [
      {
        mistake: { file, from: 'Number(slice(signature, 64)) + 27', to: '27' },
        at: 'v of the signature in initData, where the host gave 1',
        hint: /InvalidSigner\(0x/,
      },
      {
        mistake: {
          file,
          from: 'proposer: account.address',
          to: 'proposer: devnet.accounts[3].address',
        },
        at: 'proposer of the request, against the sender',
        hint: /InvalidSigner\(0x/,
      },
    ]
    await Promise.all(
      mistakes.map(async ({ mistake, at, hint }) => {
        const proposer = makeMistake(example(file), mistake)
        const [found] = await failuresOf({ proposer }, 'caller.proposer.proposal.01')
        expect(found?.failure?.at).toBe(at)
        expect(found?.failure?.hint).toMatch(hint)
      }),
    )
  },
  200_000,
)

test.runIf(drawn.includes('examples'))(
  'given the examples of own-actors.md, when somebody else is faster, then they send nothing (PIPE-23)',
  async () => {
    const targets = {
      proposer: example('own-proposer.ts'),
      challenger: example('own-challenger.ts'),
    }
    const only = 'caller.proposer.exists.01,caller.challenger.settled.01'
    expect(await failuresOf(targets, only)).toEqual([])
  },
  200_000,
)

test.skipIf(drawnBy !== 'all')(
  "given our own proposer and challenger, when they are judged as callers of today's chain, then they pass there, too (PIPE-24, PIPE-25, PIPE-26, SIG-06)",
  async () => {
    const targets = {
      proposer: ownCallerCommand('proposer'),
      challenger: ownCallerCommand('challenger'),
    }
    const results = await judge(targets, 'proposer,challenger', 'today')
    expect(failuresIn(results)).toEqual([])
    // What an enclave signs there ends with the id of a schedule.
    const { exchanges } = results.find(({ id }) => id === 'caller.proposer.proposal.01')!
    expect(JSON.stringify(exchanges)).toContain('schedule_id')
  },
  1_800_000,
)
