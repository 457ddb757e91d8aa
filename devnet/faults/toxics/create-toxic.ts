import { type Rng, randomInt } from '#protocol/random/rng'
import type { FaultOn, FaultParameters } from '../fault-catalogue.ts'
import type { Piece, Toxic, ToxicContext } from './toxic.ts'

/** A link that is down has no connections: there is nothing to put a toxic on. */
export type ToxicName = Exclude<FaultOn<'link'>, 'down'>

const shareOf = (rng: Rng): number => randomInt(rng, 2 ** 32) / 2 ** 32
/** Uniform in [-by, by]. */
const around = (rng: Rng, by: number): number => (by === 0 ? 0 : (shareOf(rng) * 2 - 1) * by)

function latency({ rng }: ToxicContext, parameters: FaultParameters['latency']): Toxic {
  const { latency, jitter } = parameters
  return { pass: (piece) => [later(piece, Math.max(0, latency + around(rng, jitter)))] }
}

function bandwidth({ clock }: ToxicContext, parameters: FaultParameters['bandwidth']): Toxic {
  const { rate } = parameters
  let freeAt = 0
  return {
    queues: true,
    pass(piece) {
      const now = clock.now()
      // Kilobytes in a second are bytes in a millisecond.
      freeAt = Math.max(freeAt, now) + piece.bytes.length / rate
      return [later(piece, freeAt - now)]
    },
  }
}

function timeout({ clock, end }: ToxicContext, parameters: FaultParameters['timeout']): Toxic {
  const { timeout } = parameters
  const timer = timeout > 0 ? clock.after(timeout, end) : undefined
  return Object.assign(silence(), { stop: () => timer?.cancel() })
}

function resetPeer(
  { clock, reset }: ToxicContext,
  parameters: FaultParameters['reset_peer'],
): Toxic {
  const timer = clock.after(parameters.timeout, reset)
  return { stop: () => timer.cancel() }
}

function slicer({ rng }: ToxicContext, parameters: FaultParameters['slicer']): Toxic {
  const { average_size, size_variation, delay } = parameters
  return {
    pass(piece) {
      const pieces: Piece[] = []
      for (let from = 0; from < piece.bytes.length; ) {
        const size = Math.max(1, Math.round(average_size + around(rng, size_variation)))
        const bytes = piece.bytes.subarray(from, from + size)
        pieces.push({ ...piece, bytes, delay: piece.delay + pieces.length * delay })
        from += size
      }
      return pieces
    },
  }
}

function limitData({ end }: ToxicContext, parameters: FaultParameters['limit_data']): Toxic {
  let left = parameters.bytes
  const toxic: Toxic = {
    pass(piece) {
      const bytes = piece.bytes.subarray(0, left)
      left -= bytes.length
      if (bytes.length < piece.bytes.length) toxic.loses = true
      // Behind this piece.
      if (left === 0) queueMicrotask(end)
      return bytes.length > 0 ? [{ ...piece, bytes }] : []
    },
  }
  return toxic
}

function corrupt({ rng }: ToxicContext, parameters: FaultParameters['corrupt']): Toxic {
  const { share } = parameters
  return {
    pass(piece) {
      if (piece.bytes.length === 0 || shareOf(rng) >= share) return [piece]
      const bytes = Uint8Array.from(piece.bytes)
      bytes[randomInt(rng, bytes.length)]! ^= 1 << randomInt(rng, 8)
      return [{ ...piece, bytes }]
    },
  }
}

function reorder({ rng }: ToxicContext, parameters: FaultParameters['reorder']): Toxic {
  const { share, delay } = parameters
  return {
    pass: (piece) => (shareOf(rng) < share ? [{ ...later(piece, delay), isLoose: true }] : [piece]),
  }
}

function duplicate({ rng }: ToxicContext, parameters: FaultParameters['duplicate']): Toxic {
  const { share } = parameters
  return { pass: (piece) => (shareOf(rng) < share ? [piece, piece] : [piece]) }
}

/** Takes everything and passes nothing on. */
function silence(): Toxic {
  const toxic: Toxic = {
    pass() {
      toxic.loses = true
      return []
    },
  }
  return toxic
}

const later = (piece: Piece, by: number): Piece => ({ ...piece, delay: piece.delay + by })

type Makers = {
  [Name in ToxicName]: (context: ToxicContext, parameters: FaultParameters[Name]) => Toxic
}

const MAKERS: Makers = {
  latency,
  bandwidth,
  slow_close: (_, { delay }) => ({ endDelay: delay }),
  timeout,
  reset_peer: resetPeer,
  slicer,
  limit_data: limitData,
  corrupt,
  reorder,
  duplicate,
  half_open: silence,
}

/** Puts a fault to work on one direction of one connection. */
export function createToxic<Name extends ToxicName>(
  fault: Name,
  parameters: FaultParameters[Name],
  context: ToxicContext,
): Toxic {
  return MAKERS[fault](context, parameters)
}
