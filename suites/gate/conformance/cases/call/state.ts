import { concat } from 'viem'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectObject } from '../../matchers/expect-shape.ts'
import { assemble } from '../../probes/assembly.ts'
import { ethCall, readContext, toWord, words } from '../../reads/eth-call.ts'
import { getTip } from '../../reads/get-block.ts'
import { callResult, simulate } from '../../reads/simulate.ts'
import { PENDING_VALUE, preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { sealedHistory, WRITTEN } from '../../scenes/sealed-history.ts'
import { laterPrecompiled, precompiledOf } from '../../spec/precompiled.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`

const GIVEN: Hex = '0x726f6c6c626564'
const ASKER: Hex = `0x${'a5'.repeat(20)}`
/** Asks the address in the first word by the rest of the calldata, and returns what that returned. */
const ASKS = assemble(`
  0x20 CALLDATASIZE SUB 0x20 PUSH0 CALLDATACOPY
  PUSH0 PUSH0 0x20 CALLDATASIZE SUB PUSH0 PUSH0 CALLDATALOAD GAS STATICCALL POP
  RETURNDATASIZE PUSH0 PUSH0 RETURNDATACOPY RETURNDATASIZE PUSH0 RETURN
`)

export const cases = defineCases([
  {
    id: 'rpc.call.no-effect.01',
    title: 'A call that writes leaves no trace',
    area: 'call',
    rules: ['RPC-CALL-16', 'RPC-CALL-17'],
    needs: ['rpc', 'driver'],
    rationale: 'A counter called twice gives 1 twice, and its caller keeps every wei.',
    async run(t) {
      const { counter, balance } = await t.scene(probeContracts)
      // What this one sends waits for a nonce for ever (cases/pending/pool.ts), so its balance rests.
      const from = t.driver.accounts[7]!
      const readBalance = () => ethCall(t.rpc, { to: balance, data: toWord(from) })
      const before = await readBalance()
      for (const _ of [1, 2]) {
        const call = { to: counter, from, gas: '0x186a0', gasPrice: hex(50_000_000_000n) }
        expectEqual(await ethCall(t.rpc, call), words(1), 'counter')
      }
      expectEqual(await readBalance(), before, 'balance of from')
    },
  },
  {
    id: 'rpc.call.selector-picks-state.01',
    title: 'A getter at two heights around a write gives the old and the new value',
    area: 'call',
    rules: ['RPC-CALL-18'],
    needs: ['rpc', 'driver'],
    rationale: 'A slot was written in one block and again in a later one.',
    async run(t) {
      const { probes, writes } = await t.scene(sealedHistory)
      const plain = { to: probes.store, data: toWord(WRITTEN.slot) }
      for (const call of [plain, { ...plain, from: t.driver.accounts[0]!, gas: '0x186a0' }]) {
        const at = (height: bigint) => ethCall(t.rpc, call, hex(height))
        expectEqual(await at(writes.first), toWord(WRITTEN.first), 'result at the first write')
        expectEqual(await at(writes.second - 1n), toWord(WRITTEN.first), 'result before the second')
        expectEqual(await at(writes.second), toWord(WRITTEN.second), 'result at the second write')
        expectEqual(await ethCall(t.rpc, call), toWord(WRITTEN.second), 'result at latest')
      }
    },
  },
  {
    id: 'rpc.call.pending-state.01',
    title: 'At pending a call sees a pre-confirmed write that latest does not have',
    area: 'call',
    rules: ['RPC-CALL-19', 'RPC-SEL-09', 'RPC-SEL-03'],
    needs: ['rpc', 'driver'],
    rationale: 'Reading pre-confirmed state is what pending is for.',
    async run(t) {
      const { reads } = await t.scene(preconfirmedWindow)
      expectEqual(resultOf(reads.callPending), toWord(PENDING_VALUE), 'result at pending')
      expectEqual(resultOf(reads.callLatest), toWord(0), 'result at latest')
    },
  },
  {
    id: 'rpc.call.pending-state.02',
    title: 'At pending a call with a sender and a gas limit sees a pre-confirmed write, too',
    area: 'call',
    rules: ['RPC-CALL-19'],
    needs: ['rpc', 'driver'],
    rationale: 'Wallets name who asks; what is read does not depend on it.',
    async run(t) {
      const { reads } = await t.scene(preconfirmedWindow)
      expectEqual(resultOf(reads.callPendingAtLength), toWord(PENDING_VALUE), 'result at pending')
    },
  },
  {
    id: 'rpc.call.pending-context.01',
    title: 'At pending the callee sees number and time of a recent block or the one being built',
    area: 'call',
    rules: ['RPC-CALL-20', 'RPC-CALL-21'],
    level: 'may',
    needs: ['rpc', 'driver'],
    rationale: 'They may trail by several blocks, but never be zero or far ahead.',
    async run(t) {
      const { reads, before } = await t.scene(preconfirmedWindow)
      const seen = readContext(resultOf(reads.contextPending) as Hex)
      const tip = expectQuantity(before.number, 'number')
      const recent = seen.NUMBER + 8n >= tip && seen.NUMBER <= tip + 2n
      expectThat(recent, `${tip - 8n}..${tip + 2n}`, seen.NUMBER, 'NUMBER')
      const time = expectQuantity(before.timestamp, 'timestamp')
      const close = seen.TIMESTAMP + 60n >= time && seen.TIMESTAMP <= time + 15n
      expectThat(close, `about ${time}`, seen.TIMESTAMP, 'TIMESTAMP')
    },
  },
  {
    id: 'rpc.call.pending-base-fee.01',
    title: 'At pending the callee sees the base fee of a recent block or the one being built',
    area: 'call',
    rules: ['RPC-CALL-22'],
    level: 'may',
    needs: ['rpc', 'driver'],
    rationale: 'A made-up constant would fit no block (OPEN-26).',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const fees = { maxFeePerGas: hex(90_000_000_000n), maxPriorityFeePerGas: '0x0' }
      const call = { to: context, from: t.driver.accounts[0], gas: '0x186a0', ...fees }
      const seen = readContext(await ethCall(t.rpc, call, 'pending'))
      const tip = await getTip(t.rpc)
      const selectors = [
        'pending',
        ...[0n, 1n, 2n, 3n].map((lag) => hex(tip > lag ? tip - lag : 0n)),
      ]
      const blocks = await Promise.all(
        selectors.map((selector) => t.rpc.result('eth_getBlockByNumber', [selector, false])),
      )
      const known = blocks.map((block) =>
        expectQuantity(expectObject(block, 'block').baseFeePerGas, 'baseFeePerGas'),
      )
      expectThat(known.includes(seen.BASEFEE), `one of ${known}`, seen.BASEFEE, 'BASEFEE')
    },
  },
  {
    id: 'rpc.call.precompiles.01',
    title: 'A precompile that contracts reach answers a call of its own, too',
    area: 'call',
    rules: ['RPC-CALL-07', 'RPC-CALL-03'],
    needs: ['rpc'],
    rationale: 'It has no code, and runs all the same; lists of precompiles end before the newest.',
    async run({ rpc }) {
      const all = [...precompiledOf(GIVEN), ...laterPrecompiled(GIVEN)]
      const calls = all.map(({ to, data }) => ({ to: ASKER, data: concat([toWord(to), data]) }))
      const stateOverrides = { [ASKER]: { code: ASKS } }
      const [block] = await simulate(rpc, [{ stateOverrides, calls }])
      const there = all.filter(
        ({ returned }, index) => callResult(block, index).returnData === returned,
      )
      for (const { to, data, returned } of there)
        expectEqual(
          await rpc.result('eth_call', [{ to, data }, 'latest']),
          returned,
          `result of ${to}`,
        )
    },
  },
])
