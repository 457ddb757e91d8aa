import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { isPending } from '../parts/block-selectors.ts'
import { hex } from '../parts/hex.ts'
import { listIn } from '../parts/list-in.ts'
import { rewriteParams } from '../rewrites.ts'

const [call, storage] = [mutantsOf('call', 'rpc'), mutantsOf('storage', 'rpc')]
const simulate = mutantsOf('simulate', 'rpc')

/** Begins at the newest sealed block where pending is named, for such questions alone. */
const fromTheTip = (method: string, isMeant: (asked: JsonObject) => boolean) =>
  rewriteParams(method, ([asked, at, ...rest]) => [
    asked,
    isPending(at) && isMeant(Object(asked)) ? 'latest' : at,
    ...rest,
  ])

const entriesOf = (payload: JsonObject) => listIn(payload.blockStateCalls).map(Object)
const callsOf = (payload: JsonObject) => entriesOf(payload).flatMap(({ calls }) => listIn(calls))

const SIMULATED: readonly (readonly [string, string, (payload: JsonObject) => boolean])[] = [
  ['overridden', 'with state overrides', (all) => entriesOf(all).some((one) => one.stateOverrides)],
  ['retimed', 'with block overrides', (all) => entriesOf(all).some((one) => one.blockOverrides)],
  ['traced', 'with traced transfers', ({ traceTransfers }) => traceTransfers === true],
  ['validated', 'with validation', ({ validation }) => validation === true],
  ['in-entries', 'of several entries', (all) => entriesOf(all).length > 1],
  ['of-calls', 'of several calls', (all) => callsOf(all).length > 1],
  ['sent', 'by a sender', (all) => callsOf(all).some(({ from }) => from !== undefined)],
]

/** Mutants that read the pending state in the plainest question alone. */
export const WRITTEN_AT_LENGTH_MUTANTS: readonly Mutant[] = [
  ...SIMULATED.map(([name, which, isMeant]) =>
    simulate(
      'RPC-SIM-03',
      `${name}-from-the-tip`,
      `A simulation ${which} begins at the newest sealed block where pending is named`,
      fromTheTip('eth_simulateV1', isMeant),
    ),
  ),
  call(
    'RPC-CALL-19',
    'sender-reads-the-tip',
    'A call with a sender reads the newest sealed block where pending is named',
    fromTheTip('eth_call', ({ from }) => from !== undefined),
  ),
  call(
    'RPC-CALL-19',
    'limited-reads-the-tip',
    'A call with a gas limit reads the newest sealed block where pending is named',
    fromTheTip('eth_call', ({ gas }) => gas !== undefined),
  ),
  storage(
    'RPC-STOR-03',
    'long-quantity-cut',
    'Reads a slot of 17 to 63 digits by its last 16',
    rewriteParams('eth_getStorageAt', ([address, slot, ...rest]) => {
      const isLong = /^0x[0-9a-f]{17,63}$/i.test(String(slot))
      return [address, isLong ? hex(BigInt.asUintN(64, BigInt(String(slot)))) : slot, ...rest]
    }),
  ),
  storage(
    'RPC-STOR-08',
    'short-slot-of-the-tip',
    'Reads a slot that is written as a quantity from the newest sealed block where pending is named',
    rewriteParams('eth_getStorageAt', ([address, slot, at, ...rest]) => {
      const isWord = String(slot).length === 66
      return [address, slot, isPending(at) && !isWord ? 'latest' : at, ...rest]
    }),
  ),
]
