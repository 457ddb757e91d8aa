import type { Mutant } from '#mocks/zoo/mutant'
import type { Clock } from '#protocol/clock/clock'
import { askEnclave } from './ask-enclave.ts'
import { serveEnclave } from './serve-enclave.ts'

/** Stands in front of an enclave and makes one mistake. `url` is its endpoint. */
export async function startEnclaveProxy(options: {
  target: string
  mutant: Mutant
  clock: Clock
  noteChange?: () => void
}): Promise<{ url: string; stop(): Promise<void> }> {
  const { target, mutant, clock, noteChange } = options
  const { enclave } = mutant.apply({
    clock,
    ask: async () => null,
    ...(noteChange && { noteChange }),
  })
  const forward = (payload: Uint8Array) => askEnclave(target, payload)
  const { endpoint, stop } = await serveEnclave(
    enclave?.answer?.(forward) ?? forward,
    enclave?.habits,
  )
  return { url: endpoint, stop }
}
