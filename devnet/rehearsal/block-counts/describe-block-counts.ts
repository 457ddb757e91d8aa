import type { SourceLine, Sources } from '#devnet/dashboard/read-sources'
import type { Address, Hex } from '#protocol/types/bytes'
import { FAST, SLOW } from '../block-pace.ts'
import { inWords } from '../in-words.ts'
import type { BlockCountKind, MetBlockCount } from './block-count.ts'

/** A place in a contract where a count of blocks stands for a time, or a second for a block. */
export interface BlockCount {
  kind: BlockCountKind
  address: Address
  /** By an artifact's name. */
  contract?: string
  line?: Pick<SourceLine, 'path' | 'line' | 'text'>
  /** In its code: where the artifact does not say a line. */
  pc: number
  /** The most that was met; none for a rate. */
  blocks?: number
  /** How often it was executed. */
  times: number
  /** What becomes of it, in one sentence. */
  why: string
}

/** Blocks that BLOCKHASH reaches back. */
const HASHES = 256

/**
 * Puts together what was met at one place, with its line where a source map tells it: what was met most
 * often first.
 * @param codeOf the code at an address; `0x` for none
 */
export async function describeBlockCounts(
  uses: readonly MetBlockCount[],
  codeOf: (address: Address) => Hex,
  sources: Sources | undefined,
): Promise<BlockCount[]> {
  const found = new Map<string, BlockCount>()
  for (const use of uses) {
    const { kind, address, pc } = use
    const line = await sources?.lineOf(codeOf(address), [pc, ...use.cameFrom], use.isCreation)
    const key = [kind, ...(line ? [line.path, line.line] : [address, use.blocks])].join(' ')
    const known = found.get(key)
    const blocks = Math.max(known?.blocks ?? 0, Number(use.blocks ?? 0))
    const contract = line?.contract ?? sources?.nameOf(codeOf(address))
    found.set(key, {
      ...{ kind, address: known?.address ?? address, pc: known?.pc ?? pc },
      ...(contract && { contract }),
      ...(line && { line: { path: line.path, line: line.line, text: line.text } }),
      ...(blocks > 0 && { blocks }),
      times: (known?.times ?? 0) + use.times,
      why: why(kind, blocks),
    })
  }
  return [...found.values()].sort((one, other) => other.times - one.times)
}

/** The place, and what becomes of it. */
export function blockCountText({ address, contract, line, pc, times, why }: BlockCount): string {
  const where = line ? `${line.path}:${line.line}` : `${contract ?? address} at byte ${pc}`
  const code = line ? ` \`${line.text}\`` : ''
  return `**${where}**${code} (${times === 1 ? 'once' : `${times} times`}). ${why}`
}

function why(kind: BlockCountKind, blocks: number): string {
  const shrinks = `${inWords(blocks * SLOW)} before, ${inWords(blocks * FAST)} since`
  switch (kind) {
    case 'compared':
      return `It waits for ${blocks} blocks: ${shrinks}. Instead: seconds, by block.timestamp.`
    case 'kept':
      return `It keeps a block number and ${blocks} more: ${shrinks}. Instead: a time, by block.timestamp.`
    case 'period':
      return `Its periods are of ${blocks} blocks: ${shrinks}. Instead: seconds, by block.timestamp.`
    case 'rate':
      return 'So much for each block: in the same time ten times as much. Instead: so much for each second.'
    case 'hash':
      return `It asks for the hash of a block ${blocks} before: the ${HASHES} that BLOCKHASH knows reached ${inWords(HASHES * SLOW)} back, and reach ${inWords(HASHES * FAST)}. Instead: EIP-2935, which knows 8,191.`
    case 'second':
      return 'The key of what it keeps is the second of a block: a block had it alone, five share it, and the last that writes stays. Instead: block.number, or timestampMs() of BaseTime.'
  }
}
