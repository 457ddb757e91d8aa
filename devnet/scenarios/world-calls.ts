import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { ChainName } from '#devnet/base/options/upgrade-options'
import type { Address, Hash } from '#protocol/types/bytes'
import type { AttestationFault } from './serve-attesting-host.ts'
import type { CallerKind } from './start-caller-world.ts'

/** What the process of the worlds does for who started it; `world` and `fault` are numbers that it gives. */
export interface WorldCalls {
  start(
    kind: CallerKind,
    chain: ChainName | undefined,
  ): Promise<{ world: number; description: DevnetDescription }>
  play(world: number, name: string): Promise<Record<string, unknown>>
  dispute(world: number): Promise<void>
  fault(
    world: number,
    target: string,
    name: string,
    parameters: Record<string, unknown> | undefined,
  ): Promise<number>
  endFault(fault: number): Promise<void>
  admit(world: number, signer: Address): Promise<Hash>
  attestWith(world: number, index: number, fault: AttestationFault): Promise<void>
  stop(world: number): Promise<void>
}

export interface WorldQuestion {
  id: number
  call: keyof WorldCalls
  args: unknown[]
}

/** `error`: its message, with what to do about it. */
export type WorldAnswer = { id: number; result: unknown } | { id: number; error: string }
