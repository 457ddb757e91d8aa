import type { Address } from '../types/bytes.ts'

/** Addresses that execution itself knows. OP spec, Predeploys, and the EIPs named. */
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'
export const L2_TO_L1_MESSAGE_PASSER: Address = '0x4200000000000000000000000000000000000016'
export const BASE_FEE_VAULT: Address = '0x4200000000000000000000000000000000000019'
export const L1_FEE_VAULT: Address = '0x420000000000000000000000000000000000001a'
export const OPERATOR_FEE_VAULT: Address = '0x420000000000000000000000000000000000001b'
/** Denim: the milliseconds of the block's time. Source: base/contracts, BaseTime. */
export const BASE_TIME: Address = '0x4200000000000000000000000000000000000030'
/** EIP-4788. */
export const BEACON_ROOTS: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
/** EIP-2935. */
export const HISTORY_STORAGE: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** Caller of the system calls of EIP-4788 and EIP-2935; it never gets an account. */
export const SYSTEM_ADDRESS: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
/** What a predeploy's proxy hands its calls to, and who may exchange that. */
export const BASE_TIME_IMPLEMENTATION: Address = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30030'
export const PROXY_ADMIN: Address = '0x4200000000000000000000000000000000000018'
