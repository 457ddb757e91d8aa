import type { BlockJson, Hex, TransactionJson } from '../json-types.ts'
import { BlockLink } from '../parts.tsx'
import { useLive } from '../use-live.ts'
import { isSent, systemTransactions } from './is-sent.ts'

/** Sealed blocks on the line. */
const SHOWN_BLOCKS = 5
/** Dots of a block; the others are a number. */
const SHOWN_DOTS = 12

/** The newest blocks and the flashblocks of the open one: transactions move from pending to sealed to safe. */
export function FlashblockLine() {
  const { blocks, safe, finalized } = useLive()
  const stage = (number: number) =>
    number <= finalized ? 'finalized' : number <= safe ? 'safe' : 'sealed'
  return (
    <section aria-label="Line of flashblocks">
      <ol class="line">
        {blocks
          .slice(0, SHOWN_BLOCKS)
          .toReversed()
          .map((block) => {
            const number = Number(block.number)
            return (
              <li key={block.hash} class={stage(number)}>
                <BlockLink number={number} /> <span class="kind">{stage(number)}</span>
                <Dots hashes={hashesOf(block).slice(systemTransactions(block))} />
              </li>
            )
          })}
        <OpenBlock />
      </ol>
      <p class="unseen" role="status">
        <SealedInWords block={blocks[0]} />
      </p>
    </section>
  )
}

/** Quiet where nobody sends: a block every two seconds would drown all else. */
function SealedInWords({ block }: { block: BlockJson | undefined }) {
  if (!block) return null
  const sent = block.transactions.length - systemTransactions(block)
  if (sent < 1) return null
  return `Block ${Number(block.number)} is sealed with ${sent} ${sent === 1 ? 'transaction' : 'transactions'}.`
}

function OpenBlock() {
  const { pending, flashblocks, latest, blocks } = useLive()
  // Blocks of 200 ms are pre-confirmed by nobody.
  if (blocks[0]?.timestampMs !== undefined) return null
  const transactions = (pending?.transactions ?? []) as TransactionJson[]
  return (
    <li class="open">
      {latest + 1} <span class="kind">pre-confirmed</span>
      <ol class="flashblocks" aria-label="Flashblocks of the open block">
        {flashblocks.map((end, index) => (
          <li key={index}>
            <span class="kind">{index}</span>
            <Dots
              hashes={transactions
                .slice(flashblocks[index - 1] ?? 0, end)
                .filter(isSent)
                .map(({ hash }) => hash)}
            />
          </li>
        ))}
      </ol>
    </li>
  )
}

function Dots({ hashes }: { hashes: Hex[] }) {
  return (
    <span class="dots">
      {hashes.slice(0, SHOWN_DOTS).map((hash) => (
        <a key={hash} class="dot" href={`/tx/${hash}`} title={hash}>
          <span class="unseen">Transaction {hash.slice(0, 10)}</span>
        </a>
      ))}
      {hashes.length > SHOWN_DOTS && <span class="kind">+{hashes.length - SHOWN_DOTS}</span>}
    </span>
  )
}

const hashesOf = ({ transactions }: BlockJson): Hex[] =>
  transactions.map((each) => (typeof each === 'string' ? each : each.hash))
