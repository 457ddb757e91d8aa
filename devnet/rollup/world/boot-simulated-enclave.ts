import type { Duplex } from 'node:stream'
import type { EventRecorder } from '#devnet/faults/event-recorder'
import { type NsmChannel, securityModule } from '#enclave/security-module/security-module'
import type { Issued } from '#enclave/security-module/sim/issue-certificate'
import { createSimSecurityModule } from '#enclave/security-module/sim/sim-security-module'
import { bootMeasured } from '#enclave/server/boot-identity'
import { createEnclave, type Enclave } from '#enclave/server/create-enclave'
import { serveConnection } from '#enclave/server/serve-connection'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import { type Clock, sleep } from '#protocol/clock/clock'
import type { Chains } from '#protocol/proof/run-program'
import type { Rng } from '#protocol/random/rng'
import type { Address, Hash } from '#protocol/types/bytes'
import { streamOf } from './network/memory-stream.ts'
import type { Port } from './network/wire.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { WorldParts } from './world-parts.ts'

/** What an enclave does wrong, as long as somebody wants it to. */
export interface EnclaveFaults {
  crash_in_proof: number
  wrong_kind: number
  garbage: number
  long_frame: number
}

export interface SimulatedEnclaveOptions {
  process: SimulatedProcess
  port: Port
  /** Of the machine around it, whose time certificates are of. */
  clock: Clock
  chains: Chains
  /** 48 bytes; another length is a fault. */
  pcr0: Uint8Array
  root: Issued
  rng: Rng
  faults: Readonly<EnclaveFaults>
  recorder: EventRecorder
  parts: Pick<WorldParts, 'runProgram' | 'verifyInTurns'>
}

/** What proving takes on a real machine, more or less; milliseconds. */
const PROOF_START = 50
const PROOF_PER_BLOCK = 10
/** Between the comparison and the signature, so that something can come between them. */
const BEFORE_SIGNING = 5

/**
 * Boots an enclave in this thread: the server of the real one, behind a port instead of vsock, with a
 * security module of its own. Proofs take virtual time.
 * @throws PcrInvalid, RandomnessFailed
 */
export async function bootSimulatedEnclave(
  options: SimulatedEnclaveOptions,
): Promise<{ signer: Address; imageHash: Hash }> {
  const { process, port, clock, chains, pcr0, root, rng, faults, recorder, parts } = options
  const { name } = process
  const module = createSimSecurityModule({ pcr0, root, clock, rng })
  const channel: NsmChannel = {
    exchange: async (request) => module.respond(request),
    close() {},
  }
  const enclave = createEnclave({
    identity: await bootMeasured(async () => securityModule(channel)),
    program: async (preimages) => {
      recorder.record(name, 'proving', { preimages: preimages.length })
      const result = await parts.runProgram(await parts.verifyInTurns(preimages), { chains })
      await sleep(process.clock, PROOF_START + PROOF_PER_BLOCK * result.blocks.length)
      if (faults.crash_in_proof > 0) {
        process.kill()
        return await new Promise<never>(() => {})
      }
      recorder.record(name, 'compared', { number: result.blocks.at(-1)?.number })
      // Never goes on in a process that was killed meanwhile.
      await sleep(process.clock, BEFORE_SIGNING)
      return result
    },
    log: (event, fields) => recorder.record(name, event, { ...fields, peakMemoryMiB: undefined }),
  })
  const recorded = telling(enclave, name, recorder)
  port.listen(process, (wire) => {
    const stream = streamOf((events) => {
      wire.events = events
      return wire
    })
    // A caller may leave at any time: whoever reads is told by its read.
    stream.on('error', () => {})
    const misbehaviour = misbehave(faults)
    if (misbehaviour) void misbehaviour(stream, process.clock).catch(() => stream.destroy())
    else void serveConnection(stream, { enclave: recorded(faults), clock: process.clock, log() {} })
  })
  return { signer: enclave.signer, imageHash: enclave.imageHash }
}

/** The enclave, whose signatures are told to the recorder. */
function telling(enclave: Enclave, name: string, recorder: EventRecorder) {
  return (faults: Readonly<EnclaveFaults>): Enclave => ({
    ...enclave,
    async handle(request) {
      const response = await enclave.handle(request)
      if (response.kind === 'Prove' && response.result.kind === 'Tee') {
        const { aggregateProposal, proposals } = response.result
        recorder.record(name, 'signed', {
          number: aggregateProposal.l2BlockNumber,
          outputRoot: aggregateProposal.outputRoot,
          prevOutputRoot: aggregateProposal.prevOutputRoot,
          l1OriginHash: aggregateProposal.l1OriginHash,
          proposals: proposals.length,
        })
      }
      if (response.kind === 'Error') recorder.record(name, 'refused', { why: response.message })
      if (faults.wrong_kind === 0) return response
      return response.kind === 'SignerPublicKey'
        ? { kind: 'SignerAttestation', document: Uint8Array.of(1) }
        : { kind: 'SignerPublicKey', publicKey: new Uint8Array(65).fill(4) }
    },
  })
}

type Misbehaviour = (stream: Duplex, clock: Clock) => Promise<void>

function misbehave(faults: Readonly<EnclaveFaults>): Misbehaviour | undefined {
  if (faults.garbage > 0) {
    return async (stream, clock) => {
      await readFrame(stream, { clock })
      await writeFrame(
        stream,
        Uint8Array.from({ length: 99 }, (_, at) => (at * 37) % 251),
      )
      stream.end()
    }
  }
  if (faults.long_frame > 0) {
    return async (stream, clock) => {
      await readFrame(stream, { clock })
      stream.write(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0))
      stream.end()
    }
  }
  return undefined
}
