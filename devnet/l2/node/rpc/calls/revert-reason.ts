import { decodeErrorResult } from 'viem'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'

/** Codes of Solidity's Panic(uint256); texts as geth has them. */
const PANICS: Record<string, string> = {
  '0': 'generic panic',
  '1': 'assert(false)',
  '17': 'arithmetic underflow or overflow',
  '18': 'division or modulo by zero',
  '33': 'enum overflow',
  '34': 'invalid encoded storage byte array accessed',
  '49': 'out-of-bounds array access; popping on an empty array',
  '50': 'out-of-bounds access of an array or bytesN',
  '65': 'out of memory',
  '81': 'uninitialized function',
}

/** What Error(string) or Panic(uint256) says; undefined for any other revert data. */
export function revertReason(output: Uint8Array): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ data: bytesToHex(output) })
    if (errorName === 'Error') return String(args[0])
    const code = args[0] as bigint
    return PANICS[code.toString()] ?? `unknown panic code: 0x${code.toString(16)}`
  } catch {
    return undefined
  }
}
