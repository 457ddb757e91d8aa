import type { Log } from '../types/block.ts'
import type { Address } from '../types/bytes.ts'

/** Where EIP-7708 says logs of value transfers come from. */
const SYSTEM_ADDRESS: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
/** Where eth_simulateV1 says they come from. */
const TRANSFER_ADDRESS: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Turns the logs of an EIP-7708 run into what eth_simulateV1 reports; burns are no transfers. */
export function fromTransferLogs(logs: readonly Log[]): Log[] {
  return logs
    .filter((log) => log.address !== SYSTEM_ADDRESS || log.topics.length === 3)
    .map((log) => (log.address === SYSTEM_ADDRESS ? { ...log, address: TRANSFER_ADDRESS } : log))
}
