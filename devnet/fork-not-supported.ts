import { RollbedError } from '../enclave-sim/protocol/errors/rollbed-error.ts'

/** Somebody asked for a devnet over the state of another chain, as `anvil --fork-url` has it. */
export class ForkNotSupported extends RollbedError {
  constructor() {
    super(
      'FORK_NOT_SUPPORTED',
      'A devnet cannot be a fork of another chain: enclaves prove each block against the root of the whole state, and of a fork only what was read is known.',
      {
        hint: "Deploy what you need on a devnet, keep it with 'rollbed state export', and bring it back with 'rollbed state import'.",
      },
    )
  }
}
