import { isHash, isHex, numberToHex } from 'viem'
import { z } from 'zod'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Hash } from '#protocol/types/bytes'

/** How sure L2 blocks must be before anything is proposed of them. */
export type Finality = 'safe' | 'finalized'

export interface Output {
  blockHash: Hash
  outputRoot: Hash
}

/** The part of a rollup node's RPC that an actor reads. */
export interface RollupClient {
  /** Undefined when the node has no such block. */
  outputAtBlock(number: bigint): Promise<Output | undefined>
  head(finality: Finality): Promise<bigint>
}

const hash = z.string().refine((text) => isHex(text) && isHash(text)) as unknown as z.ZodType<Hash>
const output = z.object({ outputRoot: hash, blockRef: z.object({ hash }) })
const head = z.object({ number: z.number().int().min(0) })
const syncStatus = z.object({ safe_l2: head, finalized_l2: head })

/** @throws RollupAnswerMalformed, beside what the RPC client throws */
export function rollupClient(rpc: RpcClient): RollupClient {
  return {
    async outputAtBlock(number) {
      try {
        const answer = await rpc.request('optimism_outputAtBlock', [numberToHex(number)])
        const { outputRoot, blockRef } = parse('optimism_outputAtBlock', output, answer)
        return { outputRoot, blockHash: blockRef.hash }
      } catch (error) {
        if (error instanceof RpcRefused && /not found/i.test(error.message)) return undefined
        throw error
      }
    },
    async head(finality) {
      const answer = await rpc.request('optimism_syncStatus', [])
      const status = parse('optimism_syncStatus', syncStatus, answer)
      return BigInt(status[`${finality}_l2`].number)
    },
  }
}

function parse<T>(method: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new RollupAnswerMalformed(method, parsed.error.issues[0]?.path.join('.') ?? '')
}

export class RollupAnswerMalformed extends RollbedError {
  constructor(method: string, where: string) {
    super(
      'ROLLUP_ANSWER_MALFORMED',
      `${method}: the answer's ${where || 'shape'} is not op-node's.`,
    )
  }
}
