import { l2ChainId } from '#fixtures/chain/constants'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Address, Hex } from '#protocol/types/bytes'

/** Where Permit2 stands on every chain. */
export const PERMIT2_ADDRESS: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

const DOMAIN_TYPE = 'EIP712Domain(string name,uint256 chainId,address verifyingContract)'

/**
 * Permit2 for another chain: it keeps the chain's id and the domain of its signatures (EIP-712) as constants.
 * Without this, two chains that start in the same second would have the same genesis block.
 * @param code Permit2 as the preinstalls have it: for the chain id 84538453
 * @param chainId of the chain it is to stand on
 * Source: OP stack, Preinstalls.sol, `getPermit2Code`.
 */
export function permit2Code(code: Hex, chainId: number): Hex {
  const changed = code
    .replace(chainIdWord(l2ChainId), chainIdWord(chainId))
    .replace(domainSeparator(l2ChainId), domainSeparator(chainId))
  return changed as Hex
}

const chainIdWord = (chainId: number): string => chainId.toString(16).padStart(64, '0')

function domainSeparator(chainId: number): string {
  const address = PERMIT2_ADDRESS.slice(2).padStart(64, '0')
  const words = hashOf(DOMAIN_TYPE) + hashOf('Permit2') + chainIdWord(chainId) + address
  return hexOf(keccak256(Buffer.from(words, 'hex')))
}

const hashOf = (text: string): string => hexOf(keccak256(Buffer.from(text)))

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
