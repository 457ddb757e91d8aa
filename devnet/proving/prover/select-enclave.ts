import type { BaseLogger } from 'pino'
import { checksumAddress } from 'viem'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { addressOf } from '#protocol/journal/signer'
import type { Address } from '#protocol/types/bytes'
import type { EnclaveClient } from './enclave-client.ts'
import type { HostMetrics } from './host-metrics.ts'
import type { SignerRegistry } from './signer-registry.ts'

/**
 * The enclave that serves one proof request: without a registry the first one (ROUTE-11), else the
 * first in configured order whose signer is valid on L1 right now (ROUTE-03..09). An enclave that
 * does not answer is skipped; a registry that does not answer fails the request (SAFE-10).
 *
 * @throws NoValidSigner, RegistryUnavailable
 */
export async function selectEnclave<T extends EnclaveClient>(options: {
  enclaves: readonly T[]
  registry: SignerRegistry | undefined
  metrics: Pick<HostMetrics, 'valid'>
  logger: BaseLogger
}): Promise<T> {
  const { enclaves, registry, metrics, logger } = options
  if (!registry) return enclaves[0]!

  const refused: Address[] = []
  for (const enclave of enclaves) {
    const { cid } = enclave
    const skip = (reason: string, signer?: Address) => {
      metrics.valid.set({ cid }, 0)
      logger.warn({ cid, signer, reason }, 'enclave skipped')
    }
    const signer = await signerOf(enclave).catch((error: Error) => skip(error.message))
    if (!signer) continue
    if (await isValid(registry, signer)) {
      metrics.valid.set({ cid }, 1)
      return enclave
    }
    skip('signer not valid in the registry', signer)
    refused.push(signer)
  }
  throw new NoValidSigner(refused)
}

/** The Ethereum address of an enclave's key: the low 20 bytes of keccak256(x ‖ y) (ROUTE-07). */
export async function signerOf(enclave: EnclaveClient): Promise<Address> {
  return addressOf(await enclave.signerPublicKey())
}

/** @throws RegistryUnavailable */
export async function isValid(registry: SignerRegistry, signer: Address): Promise<boolean> {
  try {
    return await registry.isValidSigner(signer)
  } catch (error) {
    throw new RegistryUnavailable(signer, error as Error)
  }
}

/** No configured enclave has a signer that the registry accepts (ERR-10, ERR-11, SAFE-09). */
export class NoValidSigner extends JsonRpcError {
  constructor(refused: readonly Address[]) {
    super(-32001, `no valid signer found among: [${refused.join(', ')}]`)
  }
}

/** Not being able to learn validity counts as not valid (SAFE-10, OPEN-72…74). */
export class RegistryUnavailable extends JsonRpcError {
  constructor(signer: Address, reason: Error) {
    super(-32001, `L1 RPC failed for signer ${checksumAddress(signer)}: ${reason.message}`)
  }
}
