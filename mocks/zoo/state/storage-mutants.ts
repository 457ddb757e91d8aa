import { type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { isHeight } from '../parts/block-selectors.ts'
import { rewriteParams, rewriteResult } from '../rewrites.ts'

const METHOD = 'eth_getStorageAt'
const ZERO = `0x${'00'.repeat(32)}`

const mutant = mutantsOf('storage', 'rpc')

const params = (
  change: (address: unknown, slot: unknown, selector: unknown) => readonly unknown[],
) => rewriteParams(METHOD, ([address, slot, selector]) => change(address, slot, selector))

/** Mutants of eth_getStorageAt. */
export const STORAGE_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-STOR-01',
    'address-padded',
    'Pads a short address',
    params((address, slot, selector) => [
      typeof address === 'string' ? address.padEnd(42, '0') : address,
      slot,
      selector,
    ]),
  ),
  mutant(
    'RPC-STOR-02',
    'decimal-slot',
    'Reads a slot as decimal text',
    params((address, slot, selector) => [
      address,
      /^\d+$/.test(String(slot)) ? `0x${Number(slot).toString(16)}` : slot,
      selector,
    ]),
  ),
  mutant(
    'RPC-STOR-03',
    'slot-cut',
    'Cuts the slot to 64 bits',
    params((address, slot, selector) => [
      address,
      /^0x[0-9a-f]{17,64}$/.test(String(slot)) ? `0x${String(slot).slice(-16)}` : slot,
      selector,
    ]),
  ),
  mutant(
    'RPC-STOR-03',
    'kept-by-low-bits',
    'Keeps the slots of a block by their low 64 bits',
    () => {
      const kept = new Map<string, unknown>()
      return {
        response(response, { method, params }) {
          const [address, slot, block] = params.map(String)
          if (method !== METHOD || !isHeight(block) || !('result' in response)) return response
          const key = [address, BigInt.asUintN(64, BigInt(slot!)), block].join()
          if (!kept.has(key)) kept.set(key, response.result)
          return { ...response, result: kept.get(key) }
        },
      }
    },
  ),
  mutant(
    'RPC-STOR-04',
    'unknown-tag-is-latest',
    'Takes an unknown tag for latest',
    params((address, slot, selector) => [
      address,
      slot,
      selector === 'newest' ? 'latest' : selector,
    ]),
  ),
  mutant(
    'RPC-STOR-05',
    'trimmed',
    'Trims leading zeros',
    rewriteResult(METHOD, (result) =>
      result === ZERO ? result : `0x${BigInt(String(result)).toString(16)}`,
    ),
  ),
  mutant(
    'RPC-STOR-06',
    'null-for-unwritten',
    'null for a slot never written',
    rewriteResult(METHOD, (result) => (result === ZERO ? null : result)),
  ),
  seenIn(
    ['aurora-is-near/aurora.js#14'],
    mutant(
      'RPC-STOR-07',
      'always-the-tip',
      'Reads the tip for every height',
      params((address, slot, selector) => [
        address,
        slot,
        String(selector).startsWith('0x') ? 'latest' : selector,
      ]),
    ),
  ),
  mutant(
    'RPC-STOR-08',
    'pending-is-latest',
    'pending reads the tip',
    params((address, slot, selector) => [
      address,
      slot,
      selector === 'pending' ? 'latest' : selector,
    ]),
  ),
]
