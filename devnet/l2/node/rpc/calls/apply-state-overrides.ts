import type { PrecompileView, Scratch } from '#protocol/execution/executor'
import { overriddenPrecompiles } from './overridden-precompiles.ts'
import type { StateOverride } from './parse-state-overrides.ts'

/**
 * Makes accounts what the caller wants them to be.
 * @returns the precompiles as they are now; undefined: untouched.
 */
export async function applyStateOverrides(
  scratch: Scratch,
  overrides: StateOverride[],
): Promise<PrecompileView | undefined> {
  const precompiles = overriddenPrecompiles(overrides)
  for (const { address, nonce, code, balance, state, stateDiff } of overrides) {
    if (nonce !== undefined) await scratch.setNonce(address, nonce)
    if (code !== undefined) await scratch.setCode(address, code)
    if (balance !== undefined) await scratch.setBalance(address, balance)
    if (state) await scratch.clearStorage(address)
    for (const [slot, value] of state ?? stateDiff ?? []) {
      await scratch.setStorage(address, slot, value)
    }
  }
  return precompiles
}
