import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import type { AccessListEntry } from '#protocol/types/transaction'

/** Far beyond what fits in a block, so that a list alone cannot hold us up. */
const MAX_ENTRIES = 10_000

/** An EIP-2930 access list. @throws JsonRpcError -32602 */
export function parseAccessList(value: unknown, name: string): AccessListEntry[] {
  return parseList(value, name, MAX_ENTRIES).map((item, index) => {
    const entry = parseRecord(item, `${name}[${index}]`)
    const keys = parseList(entry.storageKeys ?? [], `${name}[${index}].storageKeys`, MAX_ENTRIES)
    return {
      address: parseAddress(entry.address, `${name}[${index}].address`),
      storageKeys: keys.map((key, at) =>
        parseStorageWord(key, `${name}[${index}].storageKeys[${at}]`),
      ),
    }
  })
}
