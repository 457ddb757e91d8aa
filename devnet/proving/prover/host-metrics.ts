import { Counter, Gauge, Histogram, Registry } from '#devnet/base/prometheus'
import type { ProofQueue } from './proof-queue.ts'

/** Seconds; the last finite bucket is the default proof timeout. */
const PROOF_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 180, 600, 1200, 1740]
const WITNESS_BUCKETS = [17, 20, 23, 26, 29].map((exponent) => 2 ** exponent)

/**
 * What a prover host measures. Labels are bounded: the methods of the host, JSON-RPC codes of its
 * own, configured CIDs, two phases, two chains.
 */
export function hostMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const queues = new Map<number, ProofQueue>()
  const perEnclave = (name: string, help: string, read?: (queue: ProofQueue) => number) =>
    new Gauge({
      name: `rollbed_prover_${name}`,
      help,
      labelNames: ['cid'] as const,
      registers,
      ...(read && {
        collect() {
          for (const [cid, queue] of queues) this.set({ cid }, read(queue))
        },
      }),
    })

  return {
    registry,
    /** Queues whose length is read at every scrape. */
    queues,
    requests: new Counter({
      name: 'rollbed_prover_requests_total',
      help: 'Answered calls. code: 0, the JSON-RPC error code, or gone when the caller left.',
      labelNames: ['method', 'code'] as const,
      registers,
    }),
    proofSeconds: new Histogram({
      name: 'rollbed_prover_proof_seconds',
      help: 'Time spent on a proof. phase: witness (on the host) or enclave.',
      labelNames: ['phase'] as const,
      buckets: PROOF_BUCKETS,
      registers,
    }),
    witnessBytes: new Histogram({
      name: 'rollbed_prover_witness_bytes',
      help: 'Bytes of the preimages that went to an enclave for one proof.',
      buckets: WITNESS_BUCKETS,
      registers,
    }),
    residentMemory: new Gauge({
      name: 'rollbed_prover_resident_memory_bytes',
      help: 'Memory of the host process.',
      registers,
      collect() {
        this.set(process.memoryUsage.rss())
      },
    }),
    upstreamFailures: new Counter({
      name: 'rollbed_prover_upstream_failures_total',
      help: 'Failed RPC attempts while building witnesses. chain: l1 or l2.',
      labelNames: ['chain'] as const,
      registers,
    }),
    healthy: new Gauge({
      name: 'rollbed_prover_healthy',
      help: '1 once a signer was seen valid, for good; always 1 without a registry.',
      registers,
    }),
    waiting: perEnclave('proofs_waiting', 'Requests in the queue.', ({ waiting }) => waiting),
    inFlight: perEnclave('proofs_in_flight', '1 while a proof is made.', ({ busy }) =>
      Number(busy),
    ),
    valid: perEnclave('enclave_valid', '1 when the signer was valid at the last look, else 0.'),
    executedBlocks: perEnclave('executed_blocks', 'Blocks of the running proof executed so far.'),
    rangeBlocks: perEnclave('range_blocks', 'Blocks of the running proof; 0 when none runs.'),
  }
}

export type HostMetrics = ReturnType<typeof hostMetrics>
