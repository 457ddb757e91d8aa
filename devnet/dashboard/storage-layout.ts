/** A variable of a contract, as its compiler laid it out. */
export interface StorageVariable {
  name: string
  /** Of Solidity, as in `mapping(address => uint256)`. */
  type: string
  /** Decimal. */
  slot: string
  /** Bytes from the right end of the slot's word. */
  offset: number
  bytes: number
  /** Mappings, lists and texts lie elsewhere; the word tells no value then. */
  isInPlace: boolean
}

export type StorageLayout = readonly StorageVariable[]

/**
 * The layout in an artifact; undefined where the compiler was not asked for it (Foundry:
 * `extra_output = ["storageLayout"]`).
 */
export function readStorageLayout(value: unknown): StorageLayout | undefined {
  const { storage, types } = Object(value) as { storage?: unknown; types?: unknown }
  if (!Array.isArray(storage)) return undefined
  return storage.map((each) => {
    const { label, type, slot, offset } = Object(each) as Record<string, unknown>
    const about = Object(Object(types)[String(type)]) as Record<string, unknown>
    const bytes = Number(about.numberOfBytes)
    return {
      name: String(label),
      type: String(about.label),
      slot: String(slot),
      offset: Number(offset),
      bytes,
      isInPlace: about.encoding === 'inplace' && bytes <= 32,
    }
  })
}
