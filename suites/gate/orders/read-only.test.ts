import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetTargets } from '#devnet/cli/devnet-targets'
import { type Devnet, startDevnet } from '#devnet/index'
import { systemClock } from '#protocol/clock/system-clock'
import { isFailing } from '#reports/index'
import { createTestMnemonicDriver, runConformance, selectCases } from '../conformance/index.ts'
import { deployment } from '../conformance/probes/assembly.ts'
import { encodeLogEntries, LOG_PROBE } from '../conformance/probes/contracts.ts'
import { toWord } from '../conformance/reads/eth-call.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
  await makeTraffic()
})
afterAll(() => devnet?.stop())

/** What a chain has anyway: logs of several contracts over several blocks. */
async function makeTraffic() {
  const { signal } = new AbortController()
  const targets = devnetTargets(devnet.description)
  const driver = await createTestMnemonicDriver({ targets, clock: systemClock, signal })
  const emitters = await Promise.all(
    [1, 2].map(async () =>
      driver.sealed(await driver.send({ account: 5, data: deployment(LOG_PROBE) })),
    ),
  )
  for (const round of [1, 2, 3]) {
    const sent = await Promise.all(
      [0, 1, 2, 3].map((index) =>
        driver.send({
          account: 6,
          to: emitters[index % 2]!.contract!,
          data: encodeLogEntries([
            {
              topics: [toWord(1 + (index % 2)), toWord(10 + round), toWord(index)].slice(
                0,
                1 + (index % 3),
              ),
              data: toWord(round),
            },
          ]),
        }),
      ),
    )
    await Promise.all(sent.map((hash) => driver.sealed(hash)))
  }
  // Samples end two blocks behind the tip.
  for (const _ of [1, 2]) await driver.blockStart()
}

test('given a chain with ordinary traffic and no driver, then most is judged by reading, nothing wrongly', async () => {
  const { rpcUrl, wsUrl, l1RpcUrl } = devnet.description
  const run = await runConformance({
    targets: { rpc: rpcUrl, ws: wsUrl, l1: l1RpcUrl },
    clock: systemClock,
    draw: { seed: 1, effort: 'quick' },
    // On a busy machine some come to no verdict in the usual 45 s, which is another question than this.
    timeout: 240_000,
  })
  expect(
    run.cases.filter(({ verdict }) => isFailing(verdict)).map(({ id, reason }) => [id, reason]),
  ).toEqual([])
  const judged = run.cases.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
  const sampled = selectCases('rpc.*.sampled-*')
  expect(sampled.length).toBeGreaterThan(15)
  expect(judged).toEqual(expect.arrayContaining(sampled.map(({ id }) => id)))
  // 130 ask for nothing but a URL; calls and simulations bring their own code.
  expect(judged.length).toBeGreaterThan(190)
  const calls = selectCases('rpc.simulate.*').filter(({ needs }) => needs.includes('driver'))
  const left = calls.filter(({ id }) => !judged.includes(id)).map(({ id }) => id)
  // Without a driver the node is not watched, and no slot is written twice.
  expect(left).toEqual([
    'rpc.simulate.known-drawn.01',
    'rpc.simulate.known-heads.01',
    'rpc.simulate.known-heads.02',
    'rpc.simulate.known-refused.01',
    'rpc.simulate.known-slots.01',
    'rpc.simulate.known-newest.01',
    'rpc.simulate.watched-answered.01',
    'rpc.simulate.pending-created.01',
    'rpc.simulate.pending-cleared.01',
    'rpc.simulate.watched-pending.01',
    'rpc.simulate.watched-state.01',
    'rpc.simulate.watched-state.02',
    'rpc.simulate.selector-picks-state.01',
    'rpc.simulate.pending-state.01',
    'rpc.simulate.pending-at-length.01',
    'rpc.simulate.pending-at-length.02',
  ])
})
