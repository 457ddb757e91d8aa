import { concat, numberToHex, size, slice } from 'viem'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectObject } from '../../matchers/expect-shape.ts'
import { ethCall, toWord, words } from '../../reads/eth-call.ts'
import { findTransaction } from '../../reads/get-block.ts'
import { codeOf, registerCode } from '../../reads/register-code.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { freshWallet, registeredWallets } from '../../scenes/registered-wallets.ts'
import { attributionSuffix, MARKER } from '../../spec/attribution-suffix.ts'
import type { Hex } from '../../wire/hex.ts'

const CALL = words(0x1234)
/** Bytes of codes, about the sizes that a word or a short text has, up to what one byte can say. */
const LENGTHS = [4, 11, 31, 32, 33, 64, 127, 128, 255]
/** What an ERC-8021 suffix can hold between two commas: its length is one byte. */
const HELD = /^[ -+\--~]{1,255}$/

export const cases = defineCases([
  {
    id: 'api.attribution.round-trip.01',
    title: 'A registered code, appended to calldata, stands last and decodes to itself',
    area: 'builder-codes',
    rules: ['ATTR-01', 'ATTR-02', 'ATTR-03'],
    needs: ['api'],
    rationale: 'The code must fit an ERC-8021 suffix: ASCII, no comma, not too long.',
    async run(t) {
      for (const { first } of await t.scene(registeredWallets)) {
        const code = codeOf(first)
        expectThat(HELD.test(code), '1 to 255 letters of ASCII, no comma', code, 'builderCode')
        const data = t.attribution.append(CALL, [code])
        expectEqual(slice(data, 0, size(CALL)), CALL, 'original bytes')
        expectEqual(slice(data, -16), MARKER, 'last 16 bytes')
        // Who reads wrong what he wrote wrong reads himself.
        expectEqual(slice(data, size(CALL)), attributionSuffix([code]), 'suffix')
        expectEqual(t.attribution.read(data), [code], 'decoded codes')
      }
    },
  },
  {
    id: 'api.attribution.any-length.01',
    title: 'Codes of 4 to 255 bytes decode to themselves, also after calldata with a suffix',
    area: 'builder-codes',
    rules: ['ATTR-01', 'ATTR-03'],
    needs: ['api'],
    rationale:
      'How long a code is beyond bc_ is open (OPEN-40); of two suffixes the last is the one of the calldata.',
    async run(t) {
      const inner = t.attribution.append(CALL, ['bc_inner'])
      for (const length of LENGTHS) {
        const code = 'bc_'.padEnd(length, 'z')
        for (const before of [CALL, inner, '0x'] as const) {
          const data = t.attribution.append(before, [code])
          const whole = concat([before, attributionSuffix([code])])
          expectEqual(data, whole, 'calldata with suffix')
          expectEqual(t.attribution.read(data), [code], `codes after ${size(before)} bytes`)
        }
      }
    },
  },
  {
    id: 'api.attribution.no-marker.01',
    title:
      'Calldata with the marker elsewhere, or with one byte of it changed, carries no attribution',
    area: 'builder-codes',
    rules: ['ATTR-06'],
    needs: ['api'],
    rationale: 'Only the end counts; a search anywhere finds codes nobody wrote.',
    async run(t) {
      const [wallet] = await t.scene(registeredWallets)
      const data = t.attribution.append(CALL, [codeOf(wallet!.first)])
      expectEqual(t.attribution.read(CALL), undefined, 'plain calldata')
      expectEqual(t.attribution.read(concat([data, '0x00'])), undefined, 'marker not last')
      for (let byte = 0; byte < size(MARKER); byte++) {
        const bent = bendByte(data, size(data) - size(MARKER) + byte)
        expectEqual(t.attribution.read(bent), undefined, `marker with another byte ${byte}`)
      }
    },
  },
  {
    id: 'api.attribution.ignored-by-contracts.01',
    title:
      'A contract gives the same result with and without the suffix, and is given the whole of it',
    area: 'builder-codes',
    rules: ['ATTR-04', 'RPC-CALL-14'],
    needs: ['api', 'rpc', 'driver'],
    rationale: 'Contracts read their arguments and ignore what follows.',
    async run(t) {
      const { balance, echo } = await t.scene(probeContracts)
      const [wallet] = await t.scene(registeredWallets)
      const data = toWord(t.driver.accounts[0]!)
      const plain = await ethCall(t.rpc, { to: balance, data })
      const marked = t.attribution.append(data, [codeOf(wallet!.first)])
      expectEqual(await ethCall(t.rpc, { to: balance, data: marked }), plain, 'result with suffix')
      for (const whole of [marked, t.attribution.append('0x', [codeOf(wallet!.first)])])
        expectEqual(await ethCall(t.rpc, { to: echo, data: whole }), whole, 'calldata as it came')
    },
  },
  {
    id: 'api.attribution.on-chain.01',
    title: 'The code of a sent transaction is read back and names the registered wallet',
    area: 'builder-codes',
    rules: ['ATTR-05', 'ATTR-01'],
    needs: ['api', 'rpc', 'driver'],
    rationale: 'Credit goes to who registered the code, not to the sender.',
    async run(t) {
      const wallet = freshWallet()
      const code = await registerCode(t.api, wallet)
      const { context } = await t.scene(probeContracts)
      const data = t.attribution.append('0x', [code])
      const sealed = await t.driver.sealed(await t.driver.send({ account: 5, to: context, data }))
      const sent = await findTransaction(t.rpc, sealed.blockNumber, sealed.hash)
      const found = t.attribution.read(sent?.input as Hex)
      expectEqual(found, [code], 'codes in the input')
      const byHash = await t.rpc.call('eth_getTransactionByHash', [sealed.hash])
      if ('result' in byHash.body)
        expectEqual(Object(byHash.body.result).input, sent?.input, 'input by hash')
      expectEqual(await registerCode(t.api, wallet), found?.[0], 'code of the registered wallet')
    },
  },
  {
    id: 'api.attribution.gas.01',
    title: 'The suffix costs 16 gas per non-zero byte and 4 per zero byte',
    area: 'builder-codes',
    rules: ['ATTR-07'],
    needs: ['api', 'rpc', 'driver'],
    rationale:
      'Two transactions that differ in the suffix alone (OPEN-44; floor of EIP-7623 apart).',
    async run(t) {
      const { loop } = await t.scene(probeContracts)
      const [wallet] = await t.scene(registeredWallets)
      // Enough execution that the calldata floor of EIP-7623 does not decide the gas.
      const data = words(200)
      const suffix = t.attribution.append('0x', [codeOf(wallet!.first)])
      const used = async (calldata: Hex) => {
        const hash = await t.driver.send({ account: 6, to: loop, data: calldata })
        await t.driver.sealed(hash)
        const receipt = await t.rpc.result('eth_getTransactionReceipt', [hash])
        return expectQuantity(expectObject(receipt, 'receipt').gasUsed, 'receipt.gasUsed')
      }
      const [plain, marked] = await Promise.all([used(data), used(concat([data, suffix]))])
      const bytes = suffix.slice(2).match(/../g) ?? []
      const cost = bytes.reduce((sum, byte) => sum + (byte === '00' ? 4n : 16n), 0n)
      expectThat(marked - plain === cost, `${cost} gas more`, marked - plain, 'gas difference')
    },
  },
])

/** One byte of it is another. */
function bendByte(data: Hex, at: number): Hex {
  const bent = Number.parseInt(slice(data, at, at + 1), 16) ^ 1
  return concat([slice(data, 0, at), numberToHex(bent, { size: 1 }), `0x${data.slice(4 + 2 * at)}`])
}
