import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/index'
import { systemClock } from '#protocol/clock/system-clock'
import { createPrivateKeyDriver, runConformance, selectCases } from '../conformance/index.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(() => devnet?.stop())

const cases = selectCases('rpc.call.gas*,rpc.call.to.01,rpc.getlogs.address-one.01')

async function judgeBy(key: `0x${string}`) {
  const targets = { rpc: devnet.description.rpcUrl }
  const plans: string[] = []
  const driver = await createPrivateKeyDriver({
    targets,
    key,
    clock: systemClock,
    signal: new AbortController().signal,
    onPlan: (plan) => plans.push(plan),
  })
  const run = await runConformance({ targets, driver, cases, clock: systemClock })
  return { run, plan: plans[0]! }
}

describe('given one key', () => {
  test('when it has money, then it judges, says what it spends, and the next run finds what this one left', async () => {
    const { address, privateKey } = devnet.description.accounts[9]!
    const client = createPublicClient({ transport: http(devnet.description.rpcUrl) })
    const sent = () => client.getTransactionCount({ address })
    const first = await judgeBy(privateKey)
    const afterFirst = await sent()
    const second = await judgeBy(privateKey)
    const afterSecond = await sent()
    for (const { run } of [first, second]) {
      expect(run.cases.map(({ verdict }) => verdict)).toEqual(cases.map(() => 'pass'))
      expect(JSON.stringify(run)).not.toContain(privateKey.slice(2))
      expect(run.cases[0]?.repro).toMatch(/ --private-key --only /)
    }
    expect(first.plan).toMatch(/spends at most 0\.\d+ ETH on chain \d+: .* for 9 senders/)
    expect(second.plan).toContain('for 0 senders')
    // Nine senders were funded and a dozen contracts deployed once; two that keep state are new.
    expect(afterSecond - afterFirst).toBeLessThan(afterFirst / 3)
  })

  test('when it has no money, then it says how much is needed and sends nothing', async () => {
    await expect(judgeBy(`0x${'5e'.repeat(32)}`)).rejects.toMatchObject({
      code: 'DRIVER_FAILED',
      message: expect.stringMatching(/has 0 ETH, and up to 0\.\d+ are needed/),
    })
  })
})
