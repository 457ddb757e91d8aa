import { instead, NEVER } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const challenger = mutantsOf('challenger', 'challenger')

const CHALLENGER = 'own-challenger.ts'
const ENDS_WELL = 'return { status, hash, game: address,'

/** Challengers that overlook a game, or dispute it otherwise than they should. */
export const LOOKOUT_MUTANTS: readonly Mutant[] = [
  challenger(
    'PIPE-26',
    'newest-game-only',
    'Looks at the newest game alone',
    instead(
      CHALLENGER,
      'for (let at = 0n; at < count',
      'for (let at = count > 0n ? count - 1n : 0n; at < count',
    ),
  ),
  challenger(
    'PIPE-26',
    'any-type',
    'Reads games of every type as if they were of its own',
    instead(CHALLENGER, 'type === GAME_TYPE ?', 'type >= 0 ?'),
  ),
  challenger(
    'PIPE-26',
    'trusts-the-proposer',
    'Looks at no game of the first account',
    instead(
      CHALLENGER,
      'if (status !== IN_PROGRESS || prover === zeroAddress || countered > 0n) return undefined',
      'if (status !== IN_PROGRESS || prover === zeroAddress || countered > 0n) return undefined\n  if (prover.toLowerCase() === devnet.accounts[0].address.toLowerCase()) return undefined',
    ),
  ),
  challenger(
    'PIPE-23',
    'forgets-the-prover',
    'Looks whether a game is resolved, and not whether its proof is gone',
    instead(
      CHALLENGER,
      'if (status !== IN_PROGRESS || prover === zeroAddress || countered > 0n) return undefined',
      'if (status !== IN_PROGRESS) return undefined',
    ),
  ),
  challenger(
    'PIPE-26',
    'done-for-good',
    'Never looks at a game again once its dispute was in a block',
    instead(CHALLENGER, ENDS_WELL, `await ${NEVER}\n  ${ENDS_WELL}`),
  ),
  challenger(
    'PIPE-26',
    'whole-game',
    'Has the whole game proven, not the interval of the wrong root',
    instead(
      CHALLENGER,
      'return { address, index, end, interval, agreed, truth }',
      'return { address, index, end: last, interval, agreed: await outputAt(start), truth: await outputAt(last) }',
    ),
  ),
  challenger(
    'PIPE-26',
    'game-interval',
    'Asks for roots at the distance of the whole game',
    instead(
      CHALLENGER,
      'intermediate_block_interval: Number(interval)',
      'intermediate_block_interval: 2 * Number(interval)',
    ),
  ),
  challenger(
    'PIPE-26',
    'first-game-for-all',
    'Reads the L1 head of the first game, whichever it disputes',
    instead(
      CHALLENGER,
      "const l1Head = await l1.readContract({ ...game, functionName: 'l1Head' })",
      "const [, , first] = await l1.readContract({ ...factory, functionName: 'gameAtIndex', args: [0n] })\n  const l1Head = await l1.readContract({ ...game, address: first, functionName: 'l1Head' })",
    ),
  ),
  challenger(
    'PIPE-26',
    'no-block-is-wrong',
    'Takes a root for wrong where its L2 node does not have the block yet',
    instead(
      CHALLENGER,
      '  return result\n',
      '  return (result ?? { stateRoot: zeroHash, withdrawalsRoot: zeroHash, hash: zeroHash }) as T\n',
    ),
  ),
  challenger(
    'PIPE-26',
    'keeps-roots',
    'Keeps the output root of each block on its disk, and never looks at that block again',
    instead(
      CHALLENGER,
      "  const { stateRoot, withdrawalsRoot, hash } = await rpc<Record<string, Hex>>(\n    devnet.rpcUrl,\n    'eth_getBlockByNumber',\n    numberToHex(block),\n    false,\n  )",
      `  const { existsSync, readFileSync, writeFileSync } = await import('node:fs')
  const kept = 'block-' + block
  if (!existsSync(kept))
    writeFileSync(kept, JSON.stringify(await rpc(devnet.rpcUrl, 'eth_getBlockByNumber', numberToHex(block), false)))
  const { stateRoot, withdrawalsRoot, hash } = JSON.parse(readFileSync(kept, 'utf8'))`,
    ),
  ),
  challenger(
    'PIPE-26',
    'one-proof-for-all',
    'Has all games with a wrong root proven, and keeps the last proof for each of them',
    instead(
      CHALLENGER,
      'const proof = await prove(wrong)',
      `let proof = await prove(wrong)
  const count = await l1.readContract({ ...factory, functionName: 'gameCount' })
  for (let at = 0n; at < count; at += 1n) {
    const [type, , other] = await l1.readContract({ ...factory, functionName: 'gameAtIndex', args: [at] })
    const too = type === GAME_TYPE ? await firstWrongRoot(other) : undefined
    if (too) proof = await prove(too)
  }`,
    ),
  ),
]
