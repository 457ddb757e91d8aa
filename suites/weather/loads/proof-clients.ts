import { type Hex, numberToHex } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { withTimeout } from '#protocol/clock/clock'
import type { ProofRequest } from '#protocol/proof/types'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { hostileWitness } from './hostile-witness.ts'
import type { TrackedRequests } from './tracked-requests.ts'

/** Milliseconds for a host that lies: it may wait for parts that are gone. */
const LIE_LIMIT = 20_000
const WHO = 'prover.client'
/** Of one proof. */
const MOST_BLOCKS = 3

/** Of L2 blocks: the last, and how many. */
interface Range {
  block: number
  length: number
}

interface ToProve {
  request: ProofRequest
  truth: Hex
  range: Range
}

/** Whoever wants proofs: of the truth, of something else, and past the host by a witness that shows nothing. */
export class ProofClients {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  #nextProof = 1
  #proven: Range | undefined

  constructor(world: World, requests: TrackedRequests) {
    this.#world = world
    this.#requests = requests
    this.#rng = seededRng(`proofs ${world.facts.seed}`)
  }

  /** Asks for a proof of the newest safe block; every third of an untruth, every third by a lie. */
  async ask(index: number): Promise<Error | undefined> {
    if (index % 3 === 2) return await this.#lie().catch((error: Error) => error)
    return await this.prove(index % 3 === 0, index % 6 === 3 ? this.#proven : undefined)
  }

  /** @param again what was proven before, for somebody else now; by default what is newest */
  async prove(claimIsTrue: boolean, again?: Range): Promise<Error | undefined> {
    const { recorder, facts } = this.#world
    try {
      const { request, truth, range } = await this.#newest(again)
      // Who is paid for it stands in what is signed.
      if (again) request.proposer = facts.accounts[1]!.address
      const id = this.#nextProof++
      const block = Number(request.claimedL2BlockNumber)
      const asked = inJson({
        ...request,
        claimedL2OutputRoot: claimIsTrue ? truth : numberToHex(1, { size: 32 }),
      })
      recorder.record(WHO, 'proof.asked', { id, claimIsTrue, block, root: truth, request: asked })
      const { result, error } = await this.#requests.rpc(WHO, 'host', 'prover_prove', [asked])
      if (error) {
        recorder.record(WHO, 'proof.refused', { id, message: error.message })
        return error
      }
      const { Tee } = result as { Tee: { aggregate_proposal: Proposal } }
      const { l2_block_number, output_root } = Tee.aggregate_proposal
      const made = { id, block: l2_block_number, root: output_root, proof: Tee }
      recorder.record(WHO, 'proof.made', made)
      this.#proven = range
      return undefined
    } catch (error) {
      return error as Error
    }
  }

  /** As a host that lies to its enclave. */
  async #lie(): Promise<undefined> {
    const { recorder, clients, clock, facts } = this.#world
    const { request } = await this.#newest()
    const giveUp = AbortSignal.any([this.#requests.signal])
    const late = () => new Error('the lie took too long')
    const { lie, preimages } = await withTimeout(
      clock,
      LIE_LIMIT,
      hostileWitness(this.#world, request, giveUp),
      late,
    )
    const id = this.#nextProof++
    const block = Number(request.claimedL2BlockNumber)
    recorder.record(WHO, 'proof.asked', { id, claimIsTrue: false, lie, block })
    try {
      const enclave = clients.enclave(facts.enclaves[0]!.cid)
      const proof = await withTimeout(clock, LIE_LIMIT, enclave.prove(preimages, giveUp), late)
      const { outputRoot, l2BlockNumber } = proof.aggregateProposal
      recorder.record(WHO, 'proof.made', { id, block: Number(l2BlockNumber), root: outputRoot })
    } catch (error) {
      recorder.record(WHO, 'proof.refused', { id, message: (error as Error).message })
    }
    return undefined
  }

  async #newest(again?: Range): Promise<ToProve> {
    const ask = async <T>(to: 'l1' | 'l2' | 'rollup', method: string, params: unknown[]) => {
      const { result, error } = await this.#requests.rpc(WHO, to, method, params)
      if (error) throw error
      return result as T
    }
    const outputAt = async (number: number) => {
      const asked = [numberToHex(number)]
      const output = await ask<Output>('rollup', 'optimism_outputAtBlock', asked)
      const seen = { number, hash: output.blockRef.hash, root: output.outputRoot }
      this.#world.recorder.record(WHO, 'output.seen', seen)
      return output
    }
    const blockAt = <T>(to: 'l1' | 'l2', tag: string) =>
      ask<T>(to, 'eth_getBlockByNumber', [tag, false])
    const safe = await blockAt<{ number: Hex }>('l2', 'safe')
    const newest = Number(safe.number)
    if (newest < 2) throw new Error('Nothing is safe yet.')
    const l1 = await blockAt<{ hash: Hex; number: Hex }>('l1', 'latest')
    const drawn = 1 + randomInt(this.#rng, Math.min(MOST_BLOCKS, newest - 1))
    const isSafe = again !== undefined && again.block <= newest
    const range = isSafe ? again : { block: newest, length: drawn }
    const { block, length } = range
    const agreed = await outputAt(block - length)
    const truth = (await outputAt(block)).outputRoot
    return {
      ...{ truth, range },
      request: {
        l1Head: l1.hash,
        l1HeadNumber: BigInt(l1.number),
        agreedL2HeadHash: agreed.blockRef.hash,
        agreedL2OutputRoot: agreed.outputRoot,
        claimedL2OutputRoot: truth,
        claimedL2BlockNumber: BigInt(block),
        proposer: this.#world.facts.accounts[0]!.address,
        intermediateBlockInterval: BigInt(1 + randomInt(this.#rng, length)),
        imageHash: numberToHex(0, { size: 32 }),
      },
    }
  }
}

interface Output {
  outputRoot: Hex
  blockRef: { hash: Hex }
}

interface Proposal {
  l2_block_number: number
  output_root: Hex
}

const inJson = (request: ProofRequest) => ({
  l1_head: request.l1Head,
  l1_head_number: Number(request.l1HeadNumber),
  agreed_l2_head_hash: request.agreedL2HeadHash,
  agreed_l2_output_root: request.agreedL2OutputRoot,
  claimed_l2_output_root: request.claimedL2OutputRoot,
  claimed_l2_block_number: Number(request.claimedL2BlockNumber),
  proposer: request.proposer,
  intermediate_block_interval: Number(request.intermediateBlockInterval),
  image_hash: request.imageHash,
})
