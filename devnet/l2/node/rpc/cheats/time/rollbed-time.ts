import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { TimeCutShort } from '#protocol/clock/travel-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { CheatMethod, CheatRpc, DevnetTime } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'

/** Seconds that one call lets pass at most: a hundred days. */
const LONGEST = 100 * 86_400

/**
 * `rollbed_increaseTime [seconds]`: lets so much time pass for the whole devnet (L1, L2, prover host,
 * actors, certificates), with all that falls due meanwhile: blocks, batches, time-outs, games. The number
 * may have a fraction: 0.2 is one flashblock → Unix time, in seconds. A caller who leaves stops it where
 * it is; one who waits is told when it ended early.
 *
 * @throws JsonRpcError -32602, -32000 (TIME_CUT_SHORT), RollbedError TIME_OF_ITS_OWN
 */
export const rollbedIncreaseTime: CheatMethod = async (rpc, params, { signal }) => {
  const time = timeOf(rpc)
  const seconds = parseSeconds(positional(params)[0])
  await time.travel(seconds * 1000, signal).catch(asRefusal)
  return unixTime(time)
}

/**
 * `rollbed_setTime [time]`: the same, until a Unix time in seconds → what time it is then.
 * @throws JsonRpcError -32602, also for a time that is over, -32000 (TIME_CUT_SHORT); RollbedError
 * TIME_OF_ITS_OWN
 */
export const rollbedSetTime: CheatMethod = async (rpc, params, { signal }) => {
  const time = timeOf(rpc)
  const until = Number(parseCheatQuantity(positional(params)[0], 'time', 40))
  const now = unixTime(time)
  if (until < now) throw invalidParams(`time: it is ${now} already, and time never goes back`)
  if (until - now > LONGEST) throw invalidParams(`time: more than ${LONGEST} s from now`)
  await time.travelTo(until * 1000, signal).catch(asRefusal)
  return unixTime(time)
}

/** @throws RollbedError TIME_OF_ITS_OWN */
function timeOf({ time }: CheatRpc): DevnetTime {
  if (time) return time
  throw new RollbedError(
    'TIME_OF_ITS_OWN',
    'This chain has no L1, host or actors to move with it.',
    {
      hint: 'evm_increaseTime moves this chain alone; ask the devnet itself, not a branch, to move all.',
    },
  )
}

/**
 * The parameters were right: another code than that of a refused cheat.
 * @throws JsonRpcError -32000 (TIME_CUT_SHORT)
 */
export function asRefusal(error: unknown): never {
  if (!(error instanceof TimeCutShort)) throw error
  throw new JsonRpcError(-32000, `${error.code}: ${error.message}`, error.hint)
}

function parseSeconds(value: unknown): number {
  const isFraction = typeof value === 'number' && value >= 0 && !Number.isInteger(value)
  const seconds = isFraction ? value : Number(parseCheatQuantity(value, 'seconds', 40))
  if (seconds <= LONGEST) return seconds
  throw invalidParams(`seconds: ${seconds} is more than ${LONGEST}`)
}

const unixTime = (time: DevnetTime) => Math.floor(time.now() / 1000)
