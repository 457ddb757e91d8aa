import type { BlockJson } from '../json-types.ts'
import { BlockLink, BlockTime, count, HexText, Table } from '../parts.tsx'
import { useLive } from '../use-live.ts'

export function BlockTable({ title, blocks }: { title: string; blocks: BlockJson[] }) {
  const { safe, finalized } = useLive()
  const stage = (number: number) =>
    number <= finalized ? 'finalized' : number <= safe ? 'safe' : 'unsafe'
  return (
    <Table
      title={title}
      columns={['Block', 'Sealed at', 'Transactions', 'Gas used', 'Stage', 'Hash']}
      rows={blocks.map((block) => ({
        key: block.hash ?? '',
        cells: [
          <BlockLink key="n" number={Number(block.number)} />,
          <BlockTime key="t" block={block} />,
          block.transactions.length,
          count(block.gasUsed),
          stage(Number(block.number)),
          <HexText key="h" value={block.hash ?? ''} />,
        ],
      }))}
    />
  )
}
