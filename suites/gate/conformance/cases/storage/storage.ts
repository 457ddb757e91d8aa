import { cannotJudge } from '../../case-failure.ts'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectBytes } from '../../matchers/expect-hex.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { toWord, words } from '../../reads/eth-call.ts'
import { getTip } from '../../reads/get-block.ts'
import { PENDING_VALUE, preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { FAR_SLOT, FAR_VALUE, sealedHistory, WRITTEN } from '../../scenes/sealed-history.ts'
import { inCapitals } from '../../spec/in-capitals.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

/** Bytes of values. */
const WIDTHS = [1, 8, 16, 20, 31, 32]
const UNUSED = `0x${'d3'.repeat(20)}`
const ZERO_WORD = `0x${'00'.repeat(32)}`
const hex = (value: bigint) => `0x${value.toString(16)}`

const REFUSED: readonly (readonly [string, string, readonly unknown[], 'open'?])[] = [
  ['no params', 'RPC-STOR-01', []],
  ['an address of 19 bytes', 'RPC-STOR-01', [UNUSED.slice(0, -2), '0x0', 'latest']],
  ['null as address', 'RPC-STOR-01', [null, '0x0', 'latest']],
  ['no slot', 'RPC-STOR-02', [UNUSED]],
  ['a slot that is no hex', 'RPC-STOR-02', [UNUSED, '0xzz', 'latest']],
  ['a decimal slot', 'RPC-STOR-02', [UNUSED, '16', 'latest'], 'open'],
  ['a slot of 33 bytes', 'RPC-STOR-02', [UNUSED, `0x${'00'.repeat(33)}`, 'latest'], 'open'],
  ['an unknown tag', 'RPC-STOR-04', [UNUSED, '0x0', 'newest']],
]

export const cases = defineCases([
  ...REFUSED.map(
    ([what, rule, params, open], index): ConformanceCase => ({
      id: `rpc.storage.refused.0${index + 1}`,
      title: `eth_getStorageAt with ${what} is an error`,
      area: 'storage',
      rules: [rule],
      ...(open && { level: 'should' }),
      needs: ['rpc'],
      rationale: `Padding or guessing reads another slot than the caller meant${open ? ' (OPEN-37)' : ''}.`,
      async run({ rpc }) {
        expectError(await rpc.call('eth_getStorageAt', params), 'reply')
      },
    }),
  ),
  {
    id: 'rpc.storage.unwritten.01',
    title: 'A slot never written reads as 32 zero bytes',
    area: 'storage',
    rules: ['RPC-STOR-06', 'RPC-STOR-05'],
    needs: ['rpc'],
    rationale: 'Of an account without code or balance, too: never null, never 0x.',
    async run({ rpc }) {
      const result = await rpc.result('eth_getStorageAt', [UNUSED, '0x0', 'latest'])
      expectEqual(result, ZERO_WORD, 'result')
    },
  },
  {
    id: 'rpc.storage.width.01',
    title: 'A slot holding a small number comes back as 32 bytes',
    area: 'storage',
    rules: ['RPC-STOR-05', 'RPC-STOR-02'],
    needs: ['rpc', 'driver'],
    rationale: 'Clients cut words at fixed offsets.',
    async run(t) {
      const { probes } = await t.scene(sealedHistory)
      const params = [probes.store, hex(WRITTEN.slot), 'latest']
      const value = expectBytes(await t.rpc.result('eth_getStorageAt', params), 'result', 32)
      expectEqual(value, toWord(WRITTEN.second), 'result')
    },
  },
  {
    id: 'rpc.storage.width.02',
    title: 'A slot comes back as 32 bytes, however many of them its value has',
    area: 'storage',
    rules: ['RPC-STOR-05'],
    needs: ['rpc', 'driver'],
    rationale: 'A byte, an address, a word that is full: a node may keep each in another way.',
    async run({ driver, rpc, scene }) {
      const { store } = await scene(probeContracts)
      // The same in each run: runs on one chain may share the contract.
      const values = WIDTHS.map((width) => BigInt(anyBytes(width)))
      const slots = values.map((_, at) => BigInt(anyBytes(32)) + BigInt(at))
      const sent = await Promise.all(
        values.map((value, at) =>
          driver.send({ account: 5, to: store, data: words(slots[at]!, value) }),
        ),
      )
      for (const [at, hash] of sent.entries()) {
        const { succeeded } = await driver.sealed(hash)
        if (!succeeded) cannotJudge('A transaction that writes a slot failed.')
        const params = [store, toWord(slots[at]!), 'latest']
        const value = await rpc.result('eth_getStorageAt', params)
        expectEqual(value, toWord(values[at]!), `a value of ${WIDTHS[at]} bytes`)
      }
    },
  },
  {
    id: 'rpc.storage.far-slot.01',
    title: 'The slot may be any 256-bit number, and so may its value',
    area: 'storage',
    rules: ['RPC-STOR-03', 'RPC-STOR-05'],
    needs: ['rpc', 'driver'],
    rationale: 'Mappings live at keccak256 slots; one cut to 64 bits reads elsewhere.',
    async run(t) {
      const { probes } = await t.scene(sealedHistory)
      // What is kept of a block's slots is kept by its number, not by a tag.
      for (const block of ['latest', hex(await getTip(t.rpc))]) {
        const read = (position: string) =>
          t.rpc.call('eth_getStorageAt', [probes.store, position, block])
        expectEqual(resultOf(await read(toWord(FAR_SLOT))), toWord(FAR_VALUE), 'result')
        const near = await read(hex(FAR_SLOT & 0xffffffffffffffffn))
        expectEqual(resultOf(near), ZERO_WORD, 'result of the low bits')
        expectEqual(resultOf(await read(hex(WRITTEN.slot))), toWord(WRITTEN.second), 'result')
        // Of 17 to 63 digits: the low bits are those of a slot that was written.
        for (const bits of [64n, 96n, 128n, 192n, 248n]) {
          const position = hex((1n << bits) + WRITTEN.slot)
          const { body } = await read(position)
          if ('result' in body) expectEqual(body.result, ZERO_WORD, `result for ${position}`)
        }
      }
    },
  },
  {
    id: 'rpc.storage.slot-forms.01',
    title: 'A short and a padded slot name the same one',
    area: 'storage',
    rules: ['RPC-STOR-02'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'position takes 1 to 32 bytes of hex (OPEN-37).',
    async run(t) {
      const { probes } = await t.scene(sealedHistory)
      for (const slot of ['0x5', '0x05', toWord(5)]) {
        const value = await t.rpc.result('eth_getStorageAt', [probes.store, slot, 'latest'])
        expectEqual(value, toWord(WRITTEN.second), `result for ${slot}`)
      }
    },
  },
  {
    id: 'rpc.storage.letter-case.01',
    title: 'Address and slot name the same value in capitals, and with a leading zero or an error',
    area: 'storage',
    rules: ['RPC-STOR-01', 'RPC-STOR-02', 'RPC-STOR-03'],
    needs: ['rpc', 'driver'],
    rationale:
      'Hex has no letter case, and EIP-55 writes addresses in both; a value of another slot is wrong by any reading.',
    async run(t) {
      const { probes } = await t.scene(sealedHistory)
      const store = inCapitals(probes.store)
      const slot = inCapitals(toWord(FAR_SLOT))
      for (const [address, position] of [
        [store, toWord(FAR_SLOT)],
        [probes.store, slot],
        [store, slot],
      ]) {
        const value = await t.rpc.result('eth_getStorageAt', [address, position, 'latest'])
        expectEqual(value, toWord(FAR_VALUE), `result for ${position} of ${address}`)
      }
      // Whether a node takes leading zeros is its own affair (OPEN-37).
      for (const position of ['0x5', '0x05', '0x005', '0x0005', toWord(5)]) {
        const { body } = await t.rpc.call('eth_getStorageAt', [store, position, 'latest'])
        if ('result' in body)
          expectEqual(body.result, toWord(WRITTEN.second), `result for ${position}`)
      }
    },
  },
  {
    id: 'rpc.storage.selector-picks-state.01',
    title: 'The selector decides which value of a rewritten slot is read',
    area: 'storage',
    rules: ['RPC-STOR-07', 'RPC-STOR-04'],
    needs: ['rpc', 'driver'],
    rationale: 'The slot was written in one block and again in a later one.',
    async run(t) {
      const { probes, writes } = await t.scene(sealedHistory)
      const at = (height: bigint) =>
        t.rpc.result('eth_getStorageAt', [probes.store, hex(WRITTEN.slot), hex(height)])
      expectEqual(await at(writes.first - 1n), ZERO_WORD, 'result before the first write')
      expectEqual(await at(writes.first), toWord(WRITTEN.first), 'result at the first write')
      expectEqual(await at(writes.second), toWord(WRITTEN.second), 'result at the second write')
    },
  },
  {
    id: 'rpc.storage.pending.01',
    title: 'At pending the slot shows a pre-confirmed write that latest does not have',
    area: 'storage',
    rules: ['RPC-STOR-08', 'RPC-SEL-03'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'Deployed nodes read latest here; the spec does not.',
    async run(t) {
      const { reads } = await t.scene(preconfirmedWindow)
      expectEqual(resultOf(reads.storagePending), toWord(PENDING_VALUE), 'result at pending')
      expectEqual(resultOf(reads.storageLatest), ZERO_WORD, 'result at latest')
    },
  },
])
