import { RollbedError } from '../errors/rollbed-error.ts'
import type { Hash } from '../types/bytes.ts'

/**
 * A trie node (or contract code) is not where it can be read synchronously. Nothing was changed:
 * fetch `hash` and repeat the operation.
 */
export class NodeMissing extends RollbedError {
  readonly hash: Hash
  readonly kind: 'node' | 'code'

  constructor(hash: Hash, kind: 'node' | 'code' = 'node') {
    super('NODE_MISSING', `The ${kind} ${hash} is not in the state source.`, {
      hint: 'Fetch it into the source and repeat.',
    })
    this.hash = hash
    this.kind = kind
  }
}
