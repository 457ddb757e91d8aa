import type { Scene } from '../conformance-case.ts'
import { L1_BLOCK, ORIGIN_SLOT } from '../spec/l1-origin.ts'

/** What each sealed block has written as its L1 origin. */
interface BlockOrigins {
  /** Of the block at a height: read the first time, and kept for all cases of the run. */
  at(height: bigint): Promise<unknown>
}

/** On an OP chain; zero before its first block, and elsewhere. */
export const blockOrigins: Scene<BlockOrigins> = {
  name: 'L1 origins of blocks',
  kind: 'observation',
  async build({ rpc }) {
    const known = new Map<bigint, Promise<unknown>>()
    return {
      at(height) {
        const params = [L1_BLOCK, ORIGIN_SLOT, `0x${height.toString(16)}`]
        const origin = known.get(height) ?? rpc.result('eth_getStorageAt', params)
        known.set(height, origin)
        return origin
      },
    }
  },
}
