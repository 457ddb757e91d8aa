import type { BaseLogger } from 'pino'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { decodeAttestation } from '#enclave/attestation/decode-attestation'
import { cobaltProverRegistryAbi } from '#fixtures/contracts/CobaltProverRegistry.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address } from '#protocol/types/bytes'
import { l1Client } from '../l1-client.ts'
import type { L1Wallet } from '../l1-wallet.ts'
import { lower } from '../lower.ts'
import { plainError } from '../plain-error.ts'
import type { Outcome, Rounds } from '../start-actor.ts'
import { WatchList } from '../watch-list.ts'
import { challengeNonce } from './challenge-nonce.ts'
import { checkAttestation } from './check-attestation.ts'
import type { AttestationProver } from './dev-attestation-prover.ts'
import { type DiscoveredHost, discoverSigners, type ProverHost } from './discover-signers.ts'
import { requireDevnet } from './require-devnet.ts'

export interface RegistrarOptions {
  l1: RpcClient
  hosts: readonly ProverHost[]
  /** Owner or manager of the registry. */
  wallet: L1Wallet
  /** TEEProverRegistry on L1. */
  registry: Address
  /** Makes what the registry's attestation verifier asks for. */
  prove: AttestationProver
  /** DER of a simulated root: refused where L1 is no devnet's. Absent: the AWS root, and no other. */
  trustedRoot?: Uint8Array | undefined
  clock: Clock
  logger: BaseLogger
}

export interface RegistrarOutcome extends Outcome {
  kind: 'reconciled'
  registered: Address[]
  deregistered: Address[]
  /** Of an image that the registry holds valid beside the one in force; no host has them. */
  kept: Address[]
  refused: { signer: Address; reason: string }[]
  /** Hosts that answered, of how many. */
  reachable: number
  hosts: number
}

/**
 * Keeps the registry in step with the enclaves that run: registers signers after verifying their
 * attestation (ATT-14), and deregisters those that no host has any more, if a majority of the hosts
 * answered. A signer that is refused is asked again later.
 *
 * While images are rotated the registry holds two of them valid, and signers of both stay registered
 * (ROT-02): one of the image that is not in force is kept, whether its enclave is not there yet or not
 * any more, until that image counts no longer.
 * @throws NoHosts
 */
export function createRegistrar(options: RegistrarOptions): Rounds<RegistrarOutcome> {
  const { hosts, wallet, registry, prove, trustedRoot, clock, logger } = options
  if (hosts.length === 0) throw new NoHosts()
  const l1 = l1Client(options.l1)
  const view = { address: registry, abi: teeProverRegistryAbi } as const
  const sinceCobalt = { address: registry, abi: cobaltProverRegistryAbi } as const
  const unregistered = new WatchList(clock)

  async function register(signer: Address, document: Uint8Array, nonce: Uint8Array) {
    const [maxAge, { timestamp }] = await Promise.all([
      l1.readContract({ ...view, functionName: 'MAX_AGE' }),
      l1.getBlock({ blockTag: 'latest' }),
    ])
    const at = clock.now()
    const checks = { signer, nonce, at, l1Time: timestamp, maxAge, trustedRoot }
    const { imageHash } = checkAttestation(document, checks)
    const signed = decodeAttestation(document)
    const args = await prove(signed)
    // The registry since Cobalt takes only what was attested before its block's second; a call is tried upon
    // the newest block, which is older than a fresh attestation.
    const attestedAt = BigInt(Math.floor(signed.attestation.timestamp / 1000))
    if (args.length === 3) await wallet.untilLater(attestedAt)
    const { hash } =
      args.length === 2
        ? await wallet.send({ ...view, functionName: 'registerSigner', args })
        : await wallet.send({ ...sinceCobalt, functionName: 'registerSigner', args })
    logger.info({ signer, imageHash, transaction: hash }, 'signer registered')
  }

  /** One call for all enclaves of a host, as the host wants it, when any of them is of interest. */
  async function registerFrom(host: DiscoveredHost, outcome: RegistrarOutcome): Promise<void> {
    const wanted = new Set(unregistered.due())
    if (!host.signers.some((signer) => wanted.has(signer))) return
    const nonces = host.signers.map((signer) => challengeNonce(registry, signer))
    const attested = host.client.signerAttestations(nonces)
    for (const [index, signer] of host.signers.entries()) {
      if (!wanted.has(signer)) continue
      try {
        const document = (await attested)[index]
        if (!document) throw new NoAttestation(signer)
        await register(signer, document, nonces[index]!)
        unregistered.delete(signer)
        outcome.registered.push(signer)
      } catch (error) {
        const pause = unregistered.defer(signer)
        const reason = plainError(error).message
        logger.warn({ host: host.name, signer, reason, pause }, 'signer not registered')
        outcome.refused.push({ signer, reason })
      }
    }
  }

  async function deregister(signer: Address): Promise<void> {
    const call = { ...view, functionName: 'deregisterSigner', args: [signer] } as const
    const { hash } = await wallet.send(call)
    logger.info({ signer, transaction: hash }, 'orphaned signer deregistered')
  }

  /** Valid, though of another image than the one in force: the registry is in the middle of a rotation. */
  async function isInOverlap(signer: Address): Promise<boolean> {
    const [isValid, imageHash, inForce] = await Promise.all([
      l1.readContract({ ...view, functionName: 'isValidSigner', args: [signer] }),
      l1.readContract({ ...view, functionName: 'signerImageHash', args: [signer] }),
      l1.readContract({ ...view, functionName: 'getExpectedImageHash' }),
    ])
    return isValid && imageHash !== inForce
  }

  return {
    async round() {
      // Every time: what a URL leads to may change.
      if (trustedRoot) await requireDevnet(options.l1)
      const found = await discoverSigners(hosts, logger)
      const running = new Set(found.flatMap(({ signers }) => signers))
      const registered = await l1
        .readContract({ ...view, functionName: 'getRegisteredSigners' })
        .then((signers) => new Set(signers.map(lower)))
      for (const signer of unregistered.addresses())
        if (!running.has(signer)) unregistered.delete(signer)
      for (const signer of without(running, registered)) unregistered.add(signer)

      const outcome: RegistrarOutcome = {
        kind: 'reconciled',
        idle: true,
        registered: [],
        deregistered: [],
        kept: [],
        refused: [],
        reachable: found.length,
        hosts: hosts.length,
      }
      for (const host of found) await registerFrom(host, outcome)

      const orphans = without(registered, running)
      const isMajority = 2 * found.length > hosts.length
      if (orphans.length > 0 && !isMajority)
        logger.warn({ orphans: orphans.length, reachable: found.length }, 'too few hosts to judge')
      for (const signer of isMajority ? orphans : []) {
        if (await isInOverlap(signer)) {
          logger.debug({ signer }, 'signer of an image in rotation kept')
          outcome.kept.push(signer)
          continue
        }
        await deregister(signer)
        outcome.deregistered.push(signer)
      }
      return outcome
    },
  }
}

function without(some: Set<Address>, others: Set<Address>): Address[] {
  return [...some].filter((each) => !others.has(each))
}

export class NoHosts extends RollbedError {
  constructor() {
    super('NO_HOSTS', 'A registrar needs the URL of at least one prover host.')
  }
}

export class NoAttestation extends RollbedError {
  constructor(signer: Address) {
    super('NO_ATTESTATION', `The host answered no attestation for signer ${signer}.`)
  }
}
