import { NodeMissing } from '#protocol/trie/node-missing'
import { TrieRoots } from '#protocol/trie/trie-roots'
import type { Hash } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'
import { FlatHead } from './flat-head.ts'
import type { RetainingStore } from './retaining-store.ts'
import type { DumpedValue } from './state-dump.ts'
import { type ValueKind, visitReferences } from './visit-references.ts'

interface Entry {
  value: Uint8Array
  /** Parents that are kept, and states retained if it is a root. */
  references: number
  /** Set while its own references are counted. */
  countedAs: Exclude<ValueKind, 'code'> | undefined
  /** When it was last written. */
  generation: number
}

/**
 * Generations that what is written lives for in any case: until its block is sealed and retained, and
 * as long as somebody may still read the flashblock it belongs to.
 */
const YOUTH = 16
/**
 * Generations after which the references of a fresh state are counted: while all that it wrote is young, and
 * late enough that a test which goes back to its snapshot has nothing counted, and nothing taken back.
 */
const COUNTED_AFTER = 8
const NEVER = Number.NEGATIVE_INFINITY

/** Bytes that a value takes beside its own: its hash, its entry, its places in the map and the lists. */
const ENTRY = 500

/**
 * Trie nodes and code over a permanent base, without those that belong to no retained state. Counts
 * references, so that retaining and releasing a state costs only the nodes in which it is alone.
 *
 * A generation passes with every sealed block. Whoever builds a block writes all its nodes that its
 * parent's state has not, which keeps them for YOUTH generations, even when an old state that has
 * them too is released meanwhile.
 */
export class PrunedStore implements RetainingStore {
  readonly roots = new TrieRoots()
  readonly flat = new FlatHead()
  readonly isFork: boolean
  readonly fetch?: StateSource['fetch'] & {}
  readonly #base: StateSource
  readonly #isPermanent: (hash: Hash) => boolean
  readonly #entries = new Map<Hash, Entry>()
  /** Hashes by the generation in which they were written, oldest first. */
  readonly #written: Hash[][] = [[]]
  /** Roots of fresh states whose references are not counted yet, oldest first. */
  #fresh: { stateRoot: Hash; generation: number }[] = []
  #generation = 0
  #bytes = 0

  /**
   * @param base holds the first state, which stays readable for ever
   * @param isPermanent whether what the base has now is there for ever; default: all of it is
   */
  constructor(
    base: StateSource,
    isPermanent = (hash: Hash): boolean => base.get(hash) !== undefined,
  ) {
    this.#base = base
    this.isFork = base.isFork ?? false
    if (base.fetch) this.fetch = base.fetch.bind(base)
    this.#isPermanent = isPermanent
  }

  /** Number of values held beside the base. */
  get size(): number {
    return this.#entries.size
  }

  /** What is held beside the base takes of memory, about. */
  get bytes(): number {
    return this.#bytes
  }

  get(hash: Hash): Uint8Array | undefined {
    return this.#entries.get(hash)?.value ?? this.#base.get(hash)
  }

  put(hash: Hash, value: Uint8Array): void {
    if (this.#isPermanent(hash)) return
    const entry = this.#entries.get(hash)
    if (entry?.generation === this.#generation) return
    if (entry) entry.generation = this.#generation
    else {
      const generation = this.#generation
      this.#add(hash, { value, references: 0, countedAs: undefined, generation })
    }
    this.#written.at(-1)!.push(hash)
  }

  retain(stateRoot: Hash): void {
    this.#retain(stateRoot, 'account node')
  }

  /**
   * Retains a state that was written just now, upon one that is retained until this one is released or has
   * been for some generations. Its references are counted that much later, if it is there still.
   */
  retainFresh(stateRoot: Hash): void {
    this.#fresh.push({ stateRoot, generation: this.#generation })
  }

  admit(values: readonly DumpedValue[]): void {
    for (const { hash, kind, value } of values) {
      if (this.#isPermanent(hash)) continue
      // Nobody wrote it for a block: it goes with the last reference.
      const fresh = { value, references: 0, countedAs: undefined, generation: NEVER }
      if (!this.#entries.has(hash)) this.#add(hash, fresh)
      this.#retain(hash, kind)
    }
  }

  release(hash: Hash): void {
    const fresh = this.#fresh.findLastIndex(({ stateRoot }) => stateRoot === hash)
    if (fresh >= 0) this.#fresh.splice(fresh, 1)
    else this.#release(hash)
  }

  /** A block was sealed: drops what was written long ago and belongs to no retained state. */
  nextGeneration(): void {
    this.#generation++
    const due = this.#generation - COUNTED_AFTER
    while (this.#fresh[0] && this.#fresh[0].generation <= due) {
      this.retain(this.#fresh.shift()!.stateRoot)
    }
    this.#written.push([])
    if (this.#written.length <= YOUTH) return
    for (const hash of this.#written.shift()!) {
      const entry = this.#entries.get(hash)
      if (entry?.references === 0 && !this.#isYoung(entry)) this.#delete(hash, entry)
    }
  }

  #add(hash: Hash, entry: Entry): void {
    this.#entries.set(hash, entry)
    this.#bytes += ENTRY + entry.value.length
  }

  #delete(hash: Hash, { value }: Entry): void {
    this.#entries.delete(hash)
    this.#bytes -= ENTRY + value.length
  }

  #isYoung({ generation }: Entry): boolean {
    return generation > this.#generation - YOUTH
  }

  #retain(hash: Hash, kind: ValueKind): void {
    const entry = this.#entries.get(hash)
    if (!entry) {
      if (this.#base.get(hash)) return
      throw new NodeMissing(hash, kind === 'code' ? 'code' : 'node')
    }
    entry.references++
    // Code could have the bytes of a node: references count only where it was found as one.
    if (kind === 'code' || entry.countedAs) return
    entry.countedAs = kind
    visitReferences(entry.value, kind, (child, childKind) => this.#retain(child, childKind))
  }

  #release(hash: Hash): void {
    const entry = this.#entries.get(hash)
    if (!entry || --entry.references > 0) return
    const { value, countedAs } = entry
    entry.countedAs = undefined
    if (!this.#isYoung(entry)) this.#delete(hash, entry)
    if (countedAs) visitReferences(value, countedAs, (child) => this.#release(child))
  }
}
