import type { Header, PayloadAttributes } from '../types/block.ts'

/** The attributes of a block that stand in its header as they are. */
export function headerAttributes(
  header: Header,
): Pick<
  PayloadAttributes,
  'timestamp' | 'prevRandao' | 'feeRecipient' | 'parentBeaconBlockRoot' | 'gasLimit'
> {
  return {
    timestamp: header.timestamp,
    prevRandao: header.mixHash,
    feeRecipient: header.miner,
    parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    gasLimit: header.gasLimit,
  }
}
