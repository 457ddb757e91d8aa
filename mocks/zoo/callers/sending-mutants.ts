import { instead, keptIn } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const proposer = mutantsOf('proposer', 'proposer')
const challenger = mutantsOf('challenger', 'challenger')

const PROPOSER = 'own-proposer.ts'
const CHALLENGER = 'own-challenger.ts'

const RECEIPT = 'await l1.waitForTransactionReceipt({ hash })'
/** Longer than its library waits between two looks, shorter than a block of a real L1. */
const receiptOr = (again: string) =>
  `await l1.waitForTransactionReceipt({ hash, timeout: 8_000 }).catch(async () => l1.waitForTransactionReceipt({ hash: await ${again} }))`

/** Begins anew from the block of L1 that comes next, if that has not taken it. */
const receiptOrAnew = (isThere: string, again: string) =>
  `await l1.waitForTransactionReceipt({ hash, timeout: 8_000 }).catch(async () => {
  const { number } = await l1.getBlock()
  while ((await l1.getBlock()).number === number)
    await l1.waitForTransactionReceipt({ hash, timeout: 1_000 }).catch(() => undefined)
  return l1.waitForTransactionReceipt({ hash: ${isThere} ? hash : await ${again} })
})`

const CLAIM_AGAIN = 'wallet.writeContract({ ...create, gas: 3_000_000n })'
const NULLIFY_AGAIN =
  "wallet.writeContract({ chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root], gas: 2_000_000n })"

const INIT_DATA = "concatHex(['0x00', head.hash, l1Number, slice(signature, 0, 64), raisedV])"
const PROOF_BYTES = "concatHex(['0x00', slice(signature, 0, 64), raisedV])"

/** Callers that have the right thing, and send it twice, or once too often. */
export const SENDING_MUTANTS: readonly Mutant[] = [
  proposer(
    'PRV-REQ-12',
    'once-safe-always-safe',
    'Takes a block for safe that was so once',
    instead(
      PROPOSER,
      'if (safe_l2.number < end) throw',
      `const { existsSync, writeFileSync } = await import('node:fs')
if (safe_l2.number >= end) writeFileSync(\`safe-\${end}\`, '')
if (!existsSync(\`safe-\${end}\`)) throw`,
    ),
  ),
  proposer(
    'PRV-REQ-12',
    'unsafe-roots-kept',
    'Keeps the root of a block on disk from before the block is safe',
    instead(
      PROPOSER,
      `if (safe_l2.number < end) throw new Error(\`block \${end} is not safe yet: \${safe_l2.number} is\`)
const roots: Hex[] = []
for (let block = start + step; block <= end; block += step)
  roots.push((await outputAt(block)).outputRoot)
`,
      `const roots: Hex[] = []
for (let block = start + step; block <= end; block += step)
  roots.push(${keptIn("'root-' + block", '(await outputAt(block)).outputRoot')})
if (safe_l2.number < end) throw new Error(\`block \${end} is not safe yet: \${safe_l2.number} is\`)
`,
    ),
  ),
  proposer(
    'PIPE-23',
    'error-is-no-change',
    'Takes a second look that fails for one at which nothing has changed',
    instead(
      PROPOSER,
      'const hash = await wallet.writeContract(create).catch(',
      `if (await existingGame().catch(() => undefined)) report({ status: 'exists' })
const hash = await wallet.writeContract({ ...create, gas: 3_000_000n }).catch(`,
    ),
  ),
  proposer(
    'PIPE-23',
    'impatient-with-l1',
    'Sends its claim again when it is in no block after eight seconds',
    instead(PROPOSER, RECEIPT, receiptOr(CLAIM_AGAIN)),
  ),
  challenger(
    'PIPE-23',
    'impatient-with-l1',
    'Sends its call of nullify again when it is in no block after eight seconds',
    instead(CHALLENGER, RECEIPT, receiptOr(NULLIFY_AGAIN)),
  ),
  proposer(
    'PIPE-23',
    'counts-it-lost',
    'Takes a claim that blocks have passed by for lost, and sends it again',
    instead(PROPOSER, RECEIPT, receiptOrAnew('await existingGame()', CLAIM_AGAIN)),
  ),
  challenger(
    'PIPE-23',
    'counts-it-lost',
    'Takes a call of nullify that blocks have passed by for lost, and sends it again',
    instead(CHALLENGER, RECEIPT, receiptOrAnew('!(await firstWrongRoot(address))', NULLIFY_AGAIN)),
  ),
  proposer(
    'PIPE-25',
    'keeps-its-proof',
    'Sends its first proof of all again, though L1 has refused it for its signer',
    instead(PROPOSER, INIT_DATA, keptIn("'proof'", INIT_DATA)),
  ),
  challenger(
    'PIPE-26',
    'keeps-its-proof',
    'Sends its first proof of a game again, though L1 has refused it for its signer',
    instead(CHALLENGER, PROOF_BYTES, keptIn("'proof-' + address", PROOF_BYTES)),
  ),
  challenger(
    'PIPE-23',
    'forgets-what-it-sent',
    'Sends again, once it is started anew, what waits for a block',
    instead(CHALLENGER, 'if (await isWaiting()) return', 'if (false) return'),
  ),
]
