import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseList } from '#devnet/base/json-rpc/params/parse-record'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { proveAccount } from '#protocol/execution/account-reader'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

const MAX_SLOTS = 1024
/** Characters of a key of 32 bytes. */
const FULL_KEY = 66

/**
 * `eth_getProof [address, storageKeys, block?]`: an account and slots of it with the trie nodes that
 * prove them (EIP-1186).
 *
 * @throws JsonRpcError -32602, -32001
 */
export const ethGetProof: NodeMethod = (rpc, params) => {
  const [addressParam, storageKeys, block] = positional(params)
  const address = parseAddress(addressParam, 'address')
  const keys = parseList(storageKeys ?? [], 'storageKeys', MAX_SLOTS)
  const slots = keys.map((key, index) => parseStorageWord(key, `storageKeys[${index}]`))
  const isNumber = (key: unknown) =>
    rpc.profile.proofKeys === 'as a number' && String(key).length < FULL_KEY
  const { header } = requireBlock(rpc, parseOptionalStateSelector(block, 'block', 'latest'))
  const proof = proveAccount(rpc.chain.store, header.stateRoot, address, slots)
  return {
    address,
    accountProof: proof.accountProof.map((node) => bytesToHex(node)),
    balance: toQuantity(proof.account.balance),
    codeHash: proof.account.codeHash,
    nonce: toQuantity(proof.account.nonce),
    storageHash: proof.account.storageRoot,
    storageProof: proof.storageProof.map(({ slot, value, proof: nodes }, index) => ({
      key: isNumber(keys[index]) ? toQuantity(BigInt(slot)) : slot,
      value: toQuantity(BigInt(value)),
      proof: nodes.map((node) => bytesToHex(node)),
    })),
  }
}
