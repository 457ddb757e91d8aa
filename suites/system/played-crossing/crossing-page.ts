import type { CreatedGame, PlayedCrossing } from './play-crossing.ts'
import type { Side } from './start-dapp.ts'

/** What each saw, as a page. */
export function crossingPage({
  first,
  dapp,
  follower,
  proposer,
  challenger,
  gate,
}: PlayedCrossing) {
  const sides = [dapp.before, dapp.since]
  const row = (name: string, of: (side: Side) => unknown) =>
    `| ${[name, ...sides.map((side) => String(of(side)))].join(' | ')} |`
  const verdicts = Object.groupBy(gate.cases, ({ verdict }) => verdict)
  const others = gate.cases.filter(({ verdict }) => verdict !== 'pass')
  return `# The crossing, played

A devnet crosses to blocks of 200 ms with block ${first}, thirty seconds after its start, while a dapp, a follower, a
proposer, a challenger and the gate work on it. Recorded from a run by
\`npx node suites/system/played-crossing/record-crossing.ts\`.

## The dapp

It pays one wei twice a second, waits for each receipt, and listens to what it listened to before.

| | Before | Since |
|-|-|-|
${[
  row('payments', ({ payments }) => payments),
  row('from sending to the receipt, half of them', ({ median }) => `${median} ms`),
  row('the longest', ({ longest }) => `${longest} ms`),
  row('receipts of a block that was not sealed yet', ({ preconfirmed }) => preconfirmed),
  row('`newHeads`', ({ messages }) => messages.newHeads),
  row('`newFlashblocks`', ({ messages }) => messages.newFlashblocks),
  row('`pendingLogs`', ({ messages }) => messages.pendingLogs),
].join('\n')}

Sent: ${dapp.sent}; arrived: ${dapp.paid}. ${dapp.errors.length === 0 ? 'No call failed.' : `Calls that failed: ${dapp.errors.join('; ')}.`}

## The follower

\`rollbed follow\` derived ${follower.compared} blocks from L1 alone, over the boundary, and held each against the
sequencer's: ${follower.difference === null ? 'no difference' : JSON.stringify(follower.difference)}.

## Proposer and challenger

| Game | From block | To block | Intervals |
|-|-|-|-|
${proposer.games.map((game, at) => gameRow(game, at, first)).join('\n')}

The proposer came to ${counts(proposer.kinds)}; the challenger, which recomputed each root, to ${counts(challenger.kinds)}.

## The gate

Profile \`today\`, from before the crossing on: ${Object.entries(verdicts)
    .map(([verdict, cases = []]) => `${cases.length} ${verdict}`)
    .join(', ')}.
${others.map(({ id, verdict, reason = '' }) => `- ${verdict}: \`${id}\`. ${reason}`).join('\n')}
`
}

function gameRow({ start, block }: CreatedGame, at: number, first: bigint): string {
  const side = start >= first ? 'fast' : block >= first ? 'slow; it straddles the crossing' : 'slow'
  return `| ${at + 1} | ${start} | ${block} | ${side} |`
}

function counts(kinds: Readonly<Record<string, number>>): string {
  const listed = Object.entries(kinds).map(([kind, count]) => `${kind} (${count})`)
  return listed.join(', ') || 'nothing'
}
