import { setImmediate } from 'node:timers/promises'
import { createDerivation } from '../derivation/derivation.ts'
import { executionRules } from '../derivation/execution-rules.ts'
import { type L1Source, l1Source } from '../derivation/l1-source.ts'
import { l2Ancestors } from '../derivation/l2-ancestors.ts'
import type { RollupConfig } from '../derivation/rollup-config.ts'
import type { Engine } from '../evm/engine.ts'
import { withEngine } from '../evm/with-engine.ts'
import { createExecutor } from '../execution/create-executor.ts'
import { outputRoot } from '../execution/output-root.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import type { Header, PayloadAttributes } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import type { AgreedHead } from './agreed-head.ts'
import { AncestorHashes } from './ancestor-hashes.ts'
import { executePayload } from './execute-payload.ts'
import { overlayStore } from './overlay-store.ts'
import type { ExecutedBlock } from './types.ts'

export interface ExecuteRangeOptions {
  config: RollupConfig
  agreed: AgreedHead
  /** Nothing after this L1 block is read. */
  l1Head: Hash
  /** Execution ends here, or earlier where L1 has no more. */
  lastBlock: bigint
  onBlock?: ((block: ExecutedBlock) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Derives the blocks after the agreed one and executes each on what the one before left. Between two
 * blocks, of L1 too, other work of the process has its turn: an enclave tells its key while it proves.
 */
export function executeRange(
  oracle: PreimageOracle,
  options: ExecuteRangeOptions,
): Promise<ExecutedBlock[]> {
  return withEngine((engine) => executeOn(engine, oracle, options))
}

async function executeOn(
  engine: Engine,
  oracle: PreimageOracle,
  options: ExecuteRangeOptions,
): Promise<ExecutedBlock[]> {
  const { config, agreed, l1Head, lastBlock, onBlock, signal } = options
  const executor = await createExecutor(executionRules(config), engine)
  const store = overlayStore(oracle)
  const ancestors = new AncestorHashes(oracle, agreed.parent)
  const derivation = await createDerivation({
    config,
    l1: inTurns(l1Source(oracle)),
    l1Head,
    parent: agreed.parent,
    l2Ancestor: l2Ancestors(oracle, config, agreed.parent),
  })
  const execute = (parent: { header: Header; hash: Hash }, attributes: PayloadAttributes) => {
    const blockHash = (number: bigint) => ancestors.at(number)
    return executePayload({ executor, store, parent, attributes, config, blockHash })
  }

  const blocks: ExecutedBlock[] = []
  let head: { header: Header; hash: Hash } = agreed
  while (head.header.number < lastBlock) {
    await setImmediate()
    signal?.throwIfAborted()
    const payload = await derivation.next()
    if (!payload) break
    const block =
      (await execute(head, payload.attributes)) ??
      (await execute(head, derivation.rejectTransactions().attributes))
    // Deposits are always valid: a payload of nothing else has no way to fail.
    if (!block) throw new Error(`deposits of block ${head.header.number + 1n} were refused`)

    const { header, hash } = block
    const executed = { number: header.number, hash, outputRoot: outputRoot({ ...header, hash }) }
    derivation.accept({ number: header.number, hash, timestamp: header.timestamp })
    ancestors.append(executed)
    blocks.push(executed)
    onBlock?.(executed)
    head = block
  }
  return blocks
}

function inTurns(l1: L1Source): L1Source {
  return {
    ...l1,
    async transactions(blockHash) {
      await setImmediate()
      return await l1.transactions(blockHash)
    },
  }
}
