import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import { GAS_BEFORE_PROBE } from '../../probes/contracts.ts'
import { PLACED, placedAddress, richAccounts } from '../../probes/probe-code.ts'
import { addressOf, ethCall, readContext, toWord, words } from '../../reads/eth-call.ts'
import { getBlock, getTip } from '../../reads/get-block.ts'
import { callReader, READ_FROM_OVERRIDE } from '../../reads/placed-reader.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`

/** What a contract sees when it is called with these members. */
async function see(t: CaseContext, call: Record<string, unknown>, selector = 'latest') {
  const { context } = await t.scene(probeContracts)
  return readContext(await ethCall(t.rpc, { to: context, ...call }, selector))
}

/** Likewise at a tag whose block may be older than the contract, which an override puts there. */
async function seeAtTag({ rpc }: CaseContext, call: { from: Hex }, tag: string) {
  const { body } = await callReader(rpc, tag)
  // That is not stated; and not every node keeps the state of what is final.
  if (body.result !== READ_FROM_OVERRIDE) notApplicable(`It takes no overrides at ${tag}.`)
  const overrides = { ...PLACED, ...richAccounts([call.from]) }
  const asked = { to: placedAddress('context'), ...call }
  const reply = await rpc.call('eth_call', [asked, tag, overrides])
  return readContext(expectBytes(resultOf(reply, 'eth_call'), 'result'))
}

/** A funded sender, as gas prices need one. */
const funded = (t: CaseContext) => t.driver.accounts[0]!

export const cases = defineCases([
  {
    id: 'rpc.call.from-default.01',
    title: 'Without from the sender is the zero address',
    area: 'call',
    rules: ['RPC-CALL-04'],
    needs: ['rpc', 'driver'],
    rationale: 'Some other default gives callers rights they did not ask for.',
    async run(t) {
      for (const selector of ['latest', 'pending']) {
        const seen = await see(t, {}, selector)
        expectEqual(addressOf(seen.CALLER), `0x${'00'.repeat(20)}`, `CALLER at ${selector}`)
      }
    },
  },
  {
    id: 'rpc.call.from.01',
    title: 'from is the sender the callee sees',
    area: 'call',
    rules: ['RPC-CALL-05'],
    needs: ['rpc', 'driver'],
    rationale: 'Access control reads CALLER.',
    async run(t) {
      const from = funded(t)
      const seen = await see(t, { from })
      expectEqual(addressOf(seen.CALLER), from, 'CALLER')
      expectEqual(addressOf(seen.ORIGIN), from, 'ORIGIN')
    },
  },
  {
    id: 'rpc.call.from-contract.01',
    title: 'A contract may be the sender of a call',
    area: 'call',
    rules: ['RPC-CALL-05'],
    needs: ['rpc', 'driver'],
    rationale: 'What a wallet that is a contract may do is asked so; EIP-3607 is of transactions.',
    async run(t) {
      const { echo: from } = await t.scene(probeContracts)
      const seen = await see(t, { from })
      expectEqual(addressOf(seen.CALLER), from, 'CALLER')
    },
  },
  {
    id: 'rpc.call.to.01',
    title: 'The code at to runs, as to',
    area: 'call',
    rules: ['RPC-CALL-07'],
    needs: ['rpc', 'driver'],
    rationale: 'Two contracts answer differently; ADDRESS is the callee.',
    async run(t) {
      const { context, echo } = await t.scene(probeContracts)
      expectEqual(addressOf((await see(t, { from: funded(t) })).ADDRESS), context, 'ADDRESS')
      expectEqual(await ethCall(t.rpc, { to: echo, data: '0x07' }), '0x07', 'result of another')
    },
  },
  {
    id: 'rpc.call.gas-default.01',
    title: 'Without gas a call may burn several million',
    area: 'call',
    rules: ['RPC-CALL-08'],
    needs: ['rpc', 'driver'],
    rationale: 'A default of a plain transfer makes most getters fail.',
    async run(t) {
      const { loop } = await t.scene(probeContracts)
      const call = { to: loop, data: words(100_000) }
      for (const selector of ['latest', 'pending'])
        for (const sender of [{}, { from: funded(t) }]) {
          const result = await ethCall(t.rpc, { ...call, ...sender }, selector)
          expectEqual(result, words(1), `result at ${selector}`)
        }
    },
  },
  {
    id: 'rpc.call.gas.01',
    title: 'gas bounds the call',
    area: 'call',
    rules: ['RPC-CALL-09'],
    needs: ['rpc', 'driver'],
    rationale: 'The loop fails with 30,000 gas, and GAS shows less than was given.',
    async run(t) {
      const { loop } = await t.scene(probeContracts)
      const call = { to: loop, data: words(100_000), gas: '0x7530' }
      expectError(await t.rpc.call('eth_call', [call, 'latest']), 'reply')
      const seen = await see(t, { gas: '0x186a0' })
      expectThat(seen.GAS > 0n && seen.GAS < 100_000n, 'less than 100000', seen.GAS, 'GAS')
    },
  },
  {
    id: 'rpc.call.gas-exact.01',
    title: 'The callee has the gas that was given, less what a call costs',
    area: 'call',
    rules: ['RPC-CALL-09'],
    needs: ['rpc', 'driver'],
    rationale:
      'A node that rounds the limit, or gives half of it, lets an estimate pass that fails.',
    async run(t) {
      const probes = await t.scene(probeContracts)
      for (const gas of [25_000n, 60_000n, 100_001n, 1_234_567n]) {
        // The newest block by its number, too: not every node keeps the state of those before.
        for (const selector of ['latest', 'pending', hex(await getTip(t.rpc))]) {
          const left = await ethCall(t.rpc, { to: probes.gas, gas: hex(gas) }, selector)
          expectEqual(left, toWord(gas - GAS_BEFORE_PROBE), `GAS of ${gas} at ${selector}`)
        }
      }
    },
  },
  {
    id: 'rpc.call.gas-price.01',
    title: 'gasPrice is the price the callee sees',
    area: 'call',
    rules: ['RPC-CALL-10'],
    needs: ['rpc', 'driver'],
    rationale: 'A legacy price is paid as it is.',
    async run(t) {
      const price = 77_000_000_000n
      const seen = await see(t, { from: funded(t), gasPrice: hex(price), gas: '0x186a0' })
      expectEqual(seen.GASPRICE, price, 'GASPRICE')
    },
  },
  {
    id: 'rpc.call.max-fee.01',
    title: 'maxFeePerGas caps the price',
    area: 'call',
    rules: ['RPC-CALL-11'],
    needs: ['rpc', 'driver'],
    rationale: 'With a tip as large as the cap, the cap is what is paid.',
    async run(t) {
      const cap = hex(90_000_000_000n)
      const fees = { maxFeePerGas: cap, maxPriorityFeePerGas: cap, gas: '0x186a0' }
      const seen = await see(t, { from: funded(t), ...fees })
      expectEqual(seen.GASPRICE, BigInt(cap), 'GASPRICE')
    },
  },
  {
    id: 'rpc.call.max-fee-alone.01',
    title: 'maxFeePerGas may be given without a tip, and is a cap all the same',
    area: 'call',
    rules: ['RPC-CALL-15', 'RPC-CALL-11'],
    needs: ['rpc', 'driver'],
    rationale: 'Each fee member is optional by itself: no tip is none, and not an error.',
    async run(t) {
      const cap = 90_000_000_000n
      const call = { from: funded(t), gas: '0x186a0', maxFeePerGas: hex(cap) }
      for (const selector of ['latest', 'pending']) {
        const { GASPRICE } = await see(t, call, selector)
        expectThat(GASPRICE <= cap, `${cap} or less`, GASPRICE, `GASPRICE at ${selector}`)
      }
    },
  },
  {
    id: 'rpc.call.max-fee-alone.02',
    title: 'With maxFeePerGas and no tip the price is the base fee',
    area: 'call',
    rules: ['RPC-CALL-12', 'RPC-CALL-15'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'EIP-1559: a tip that is not offered is not paid; the spec states no default.',
    async run(t) {
      const call = { from: funded(t), gas: '0x186a0', maxFeePerGas: hex(90_000_000_000n) }
      for (const selector of ['latest', 'pending']) {
        const { GASPRICE, BASEFEE } = await see(t, call, selector)
        expectEqual(GASPRICE, BASEFEE, `GASPRICE at ${selector}`)
      }
    },
  },
  {
    id: 'rpc.call.priority-fee.01',
    title: 'maxPriorityFeePerGas is paid on top of the base fee',
    area: 'call',
    rules: ['RPC-CALL-12', 'RPC-CALL-22'],
    needs: ['rpc', 'driver'],
    rationale: 'With a large cap the price is base fee plus tip, and a tip of zero is one.',
    async run(t) {
      // Deployed first: at a height from before, nothing would be called.
      await t.scene(probeContracts)
      const latest = await getBlock(t.rpc, 'latest')
      const baseFee = expectQuantity(latest.baseFeePerGas, 'baseFeePerGas')
      for (const tip of [3_000_000n, 0n]) {
        const fees = { maxFeePerGas: hex(90_000_000_000n), maxPriorityFeePerGas: hex(tip) }
        const call = { from: funded(t), gas: '0x186a0', ...fees }
        const seen = await see(t, call, String(latest.number))
        expectEqual(seen.GASPRICE, seen.BASEFEE + tip, `GASPRICE with a tip of ${tip}`)
        expectEqual(seen.BASEFEE, baseFee, 'BASEFEE')
      }
    },
  },
  {
    id: 'rpc.call.value.01',
    title: 'value is the wei sent along',
    area: 'call',
    rules: ['RPC-CALL-13'],
    needs: ['rpc', 'driver'],
    rationale: 'CALLVALUE and the callee balance both show it.',
    async run(t) {
      // The second is more than 64 bits hold.
      for (const value of [42n, 2n ** 65n + 42n]) {
        const seen = await see(t, { from: funded(t), value: `0x${value.toString(16)}` })
        expectEqual(seen.CALLVALUE, value, 'CALLVALUE')
        expectEqual(seen.SELFBALANCE, value, 'SELFBALANCE')
      }
    },
  },
  ...(['a height', 'pending', 'safe', 'finalized'] as const).map(
    (base, index): ConformanceCase => ({
      id: `rpc.call.members-at.0${index + 1}`,
      title: `Sender, value and price are what the callee sees upon ${base}, too`,
      area: 'call',
      rules: ['RPC-CALL-05', 'RPC-CALL-10', 'RPC-CALL-11', 'RPC-CALL-13'],
      needs: ['rpc', 'driver'],
      rationale: 'A call says the same whatever block it names.',
      async run(t) {
        await t.scene(probeContracts)
        const { number } = await getBlock(t.rpc, 'latest')
        const selector = base === 'a height' ? String(number) : base
        const isOld = base === 'safe' || base === 'finalized'
        const call = { from: funded(t), value: '0x2a', gas: '0x186a0' }
        const cap = 90_000_000_000n
        const prices = [
          { gasPrice: hex(cap + 1n) },
          { maxFeePerGas: hex(cap), maxPriorityFeePerGas: hex(cap) },
        ]
        const seen = []
        for (const price of prices) {
          const members = { ...call, ...price }
          seen.push(await (isOld ? seeAtTag : see)(t, members, selector))
        }
        expectEqual(
          seen.map(({ CALLER, CALLVALUE, GASPRICE }) => [addressOf(CALLER), CALLVALUE, GASPRICE]),
          [
            [funded(t), 42n, cap + 1n],
            [funded(t), 42n, cap],
          ],
          'CALLER, CALLVALUE and GASPRICE',
        )
      },
    }),
  ),
  {
    id: 'rpc.call.sealed-context.01',
    title: 'At a height the callee sees number, time and base fee of that block',
    area: 'call',
    rules: ['RPC-CALL-23', 'RPC-CALL-18'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'Two heights in a row: the context of the tip for old heights would show.',
    async run(t) {
      await t.scene(probeContracts)
      const latest = await getBlock(t.rpc, 'latest')
      const parent = expectQuantity(latest.number, 'number') - 1n
      for (const block of [latest, await getBlock(t.rpc, parent)]) {
        const { echo: _, context } = await t.scene(probeContracts)
        const code = await ethCall(t.rpc, { to: context }, String(block.number))
        if (code === '0x') continue
        const seen = readContext(code)
        expectEqual(seen.NUMBER, expectQuantity(block.number, 'number'), 'NUMBER')
        expectEqual(seen.TIMESTAMP, expectQuantity(block.timestamp, 'timestamp'), 'TIMESTAMP')
        expectDifferent(seen.PREVRANDAO, 0n, 'PREVRANDAO')
      }
    },
  },
])
