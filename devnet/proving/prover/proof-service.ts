import type { BaseLogger } from 'pino'
import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { Clock } from '#protocol/clock/clock'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import type { ProofRequest, TeeProof } from '#protocol/proof/types'
import type { EnclaveClient } from './enclave-client.ts'
import type { HostMetrics } from './host-metrics.ts'
import {
  type ProofRequestJson,
  type ProofResultJson,
  proofRequestJson,
  proofResultJson,
} from './proof-json.ts'
import { proofProgress } from './proof-progress.ts'
import { ProofQueue } from './proof-queue.ts'
import { selectEnclave } from './select-enclave.ts'
import type { SignerRegistry } from './signer-registry.ts'
import { withDeadline } from './with-deadline.ts'

/** What a witness reports while it is built. */
export interface WitnessEvents {
  /** Ends the work. */
  signal: AbortSignal
  onBlock(block: { number: bigint }): void
  /** An RPC attempt failed and will be made again. */
  onUpstreamFailure(chain: 'l1' | 'l2', error: Error): void
}

export interface ProofServiceOptions {
  /** In configured CID order. */
  enclaves: readonly EnclaveClient[]
  registry: SignerRegistry | undefined
  /** Collects the preimages of a range; fails when the claim is wrong. */
  buildWitness(request: ProofRequest, events: WitnessEvents): Promise<Preimage[]>
  /** Seconds for one request: waiting, witness and enclave together (OPEN-70, OPEN-71). */
  proofTimeout: number
  clock: Clock
  metrics: HostMetrics
  logger: BaseLogger
  /** Hears of every request once it is over. */
  onProof?: ((record: ProofRecord) => void) | undefined
}

/** What became of a request for a proof. */
export interface ProofRecord {
  /** Unix time in milliseconds. */
  at: number
  /** Milliseconds. */
  took: number
  /** Undefined when no enclave was reached. */
  cid?: number
  request: ProofRequestJson
  /** Undefined when the request failed. */
  result?: ProofResultJson
  error?: string
}

/** @throws NoValidSigner, RegistryUnavailable, EnclaveBusy, ProofTimeout, JsonRpcError -32000 */
export type ProofService = (request: ProofRequest, callerLeft: AbortSignal) => Promise<TeeProof>

const moved = Symbol('the request belongs to another enclave now')

/** Serves proof requests: chooses an enclave, waits for its turn, builds the witness, has it proved. */
export function proofService(options: ProofServiceOptions): ProofService {
  const { enclaves, proofTimeout, clock, metrics, logger } = options
  const route = () => selectEnclave(options)
  const queues = new Map(enclaves.map((enclave) => [enclave, new ProofQueue()]))
  for (const [{ cid }, queue] of queues) metrics.queues.set(cid, queue)

  /** A request that had to wait is routed anew: its enclave may have been rotated out meanwhile. */
  async function inTurn<T>(
    enclave: EnclaveClient,
    about: object,
    signal: AbortSignal,
    work: (enclave: EnclaveClient) => Promise<T>,
  ): Promise<T> {
    const queue = queues.get(enclave)!
    const waits = queue.busy
    if (waits) logger.info({ ...about, cid: enclave.cid, ahead: queue.waiting + 1 }, 'waiting')
    let current = enclave
    const outcome = await queue.run(async () => {
      if (waits) current = await route()
      return current === enclave ? work(enclave) : moved
    }, signal)
    return outcome === moved ? inTurn(current, about, signal, work) : outcome
  }

  let requests = 0
  return async (request, callerLeft) => {
    requests += 1
    const began = clock.now()
    const block = request.claimedL2BlockNumber
    const about: Record<string, unknown> = { request: requests, block: block.toString() }
    const onUpstreamFailure: WitnessEvents['onUpstreamFailure'] = (chain, error) => {
      metrics.upstreamFailures.inc({ chain })
      about.lastFailure = `${chain}: ${error.message}`
      logger.warn(about, 'upstream RPC failed, trying again')
    }
    const tell = (end: Pick<ProofRecord, 'result' | 'error'>) =>
      options.onProof?.({
        ...{ at: began, took: clock.now() - began, request: proofRequestJson(request), ...end },
        ...(typeof about.cid === 'number' && { cid: about.cid }),
      })
    const onTimeout = () => new ProofTimeout(proofTimeout, block)
    try {
      const enclave = await route()
      const proof = await withDeadline(
        { clock, delay: proofTimeout * 1000, onTimeout, outer: callerLeft },
        (signal) =>
          inTurn(enclave, about, signal, ({ cid, prove }) => {
            about.cid = cid
            const progress = proofProgress({ ...options, about, cid, lastBlock: block })
            const events = { ...progress, signal, onUpstreamFailure }
            return proveOn(prove, { request, about, events, ...options }).finally(progress.end)
          }),
      )
      logger.info({ ...about, seconds: (clock.now() - began) / 1000 }, 'proof made')
      tell({ result: proofResultJson(proof) })
      return proof
    } catch (error) {
      logger.warn({ ...about, reason: (error as Error).message }, 'proof request failed')
      tell({ error: (error as Error).message })
      throw error
    }
  }
}

/** Witness, then proof. What the enclave says comes back as it is (ERR-14, ERR-15). */
async function proveOn(
  prove: EnclaveClient['prove'],
  options: Pick<ProofServiceOptions, 'buildWitness' | 'clock' | 'metrics' | 'logger'> & {
    request: ProofRequest
    about: Record<string, unknown>
    events: WitnessEvents
  },
): Promise<TeeProof> {
  const { request, about, events, buildWitness, clock, metrics, logger } = options

  const timed = async <T>(phase: 'witness' | 'enclave', about: string, work: Promise<T>) => {
    const began = clock.now()
    try {
      return await work
    } catch (error) {
      throw new JsonRpcError(-32000, `${about}${(error as Error).message}`)
    } finally {
      metrics.proofSeconds.observe({ phase }, (clock.now() - began) / 1000)
    }
  }
  logger.info(about, 'building witness')
  const witness = await timed(
    'witness',
    'witness generation failed: ',
    buildWitness(request, events),
  )
  const bytes = witness.reduce((sum, { value }) => sum + value.length, 0)
  metrics.witnessBytes.observe(bytes)
  logger.info({ ...about, preimages: witness.length, bytes }, 'proving')
  return await timed('enclave', '', prove(witness, events.signal))
}

/** ERR-12, ERR-13. */
export class ProofTimeout extends JsonRpcError {
  constructor(seconds: number, block: bigint) {
    super(-32000, `proof request timed out after ${seconds}s for L2 block ${block}`)
  }
}
