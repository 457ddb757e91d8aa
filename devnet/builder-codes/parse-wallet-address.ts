import { type Address, isAddress } from 'viem'

/**
 * Reads `walletAddress` of a registration body (BC-05, BC-06). Mixed case must be a valid EIP-55
 * checksum; all-lower and all-upper case carry none.
 *
 * @returns the address, or a sentence that says what is wrong
 */
export function parseWalletAddress(body: unknown): { wallet: Address } | { problem: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { problem: 'The body must be a JSON object with the member walletAddress.' }
  }
  const value = (body as Record<string, unknown>).walletAddress
  if (value === undefined) return { problem: 'walletAddress is missing.' }
  if (typeof value !== 'string') return { problem: 'walletAddress must be a string.' }
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) {
    return { problem: 'walletAddress must be 0x followed by 40 hexadecimal digits.' }
  }
  const digits = value.slice(2)
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (mixed && !isAddress(value, { strict: true })) {
    return { problem: 'walletAddress has a wrong EIP-55 checksum.' }
  }
  return { wallet: value.toLowerCase() as Address }
}
