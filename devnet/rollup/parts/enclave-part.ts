import {
  type DevSigner,
  type RegistryOwner,
  registerDevSigners,
} from '#devnet/l1/register-dev-signers'

/** The first CID; vsock reserves 0 to 2, and Nitro hands out higher ones. */
const FIRST_CID = 16

/**
 * Makes keys of enclaves known to L1, all in one block.
 * @returns whether there was anything to make known, and so a block
 */
export type RegisterSigners = (enclaves: readonly DevSigner[]) => Promise<boolean>

export interface EnclaveGiven<Booted extends DevSigner> {
  /** In a process or a machine of its own, or in this thread. */
  boot(): Promise<Booted>
  /** Without it the key of this life is made known by whoever starts it. */
  register?: RegisterSigners
}

/** An enclave, which asks nobody; hosts reach it over vsock. Each life has another key (ENC-START-05). */
export interface EnclavePart {
  readonly cid: number
  /** As in the target `process:NAME` of faults. */
  readonly name: `enclave.${number}`
  /** As in `link:NAME`. */
  readonly hostLink: `host-enclave.${number}`
  /** Once it told its key, and that is known. */
  start<Booted extends DevSigner>(given: EnclaveGiven<Booted>): Promise<Booted>
}

export function enclavePart(cid: number): EnclavePart {
  return {
    cid,
    name: `enclave.${cid}`,
    hostLink: `host-enclave.${cid}`,
    async start({ boot, register }) {
      const booted = await boot()
      await register?.([booted])
      return booted
    },
  }
}

export function enclaveParts(count: number): EnclavePart[] {
  return Array.from({ length: count }, (_, index) => enclavePart(FIRST_CID + index))
}

/** By the path that only a devnet's owner has, unless that is left to a registrar. */
export function signersOf(
  owner: RegistryOwner,
  options: { leftToRegistrar: boolean },
): RegisterSigners {
  return async (enclaves) => {
    if (options.leftToRegistrar || enclaves.length === 0) return false
    await registerDevSigners(owner, enclaves)
    return true
  }
}
