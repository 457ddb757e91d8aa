import { instead, keptIn } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const challenger = mutantsOf('challenger', 'challenger')

const CHALLENGER = 'own-challenger.ts'

/** Challengers that take what was right of one game, or at one time, for right of all. */
export const OVERLOOKING_MUTANTS: readonly Mutant[] = [
  challenger(
    'PRV-REQ-06',
    'stops-at-child',
    'Fails at a game that starts from a wrong root, and never comes to those behind it',
    instead(
      CHALLENGER,
      'if (agreed.root !== startRoot) return undefined',
      "if (agreed.root !== startRoot) throw new Error('it starts from a wrong root')",
    ),
  ),
  challenger(
    'PRV-REQ-07',
    'first-interval',
    'Takes the interval of the first game that it looks at for that of all games',
    instead(
      CHALLENGER,
      'const interval = (last - start) / count',
      'const kept = globalThis as { interval?: bigint }\n  const interval = (kept.interval ??= (last - start) / count)',
    ),
  ),
  challenger(
    'PIPE-26',
    'index-from-genesis',
    'Counts the index of a wrong root from genesis, and not from the start of its game',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root]',
      'args: [proof, wrong.end / wrong.interval - 1n, truth.root]',
    ),
  ),
  challenger(
    'PIPE-26',
    'newest-five-games',
    'Looks at the five newest games, of whatever type',
    instead(
      CHALLENGER,
      'for (let at = 0n; at < count',
      'for (let at = count > 5n ? count - 5n : 0n; at < count',
    ),
  ),
  challenger(
    'PIPE-26',
    'resolved-in-order',
    'Looks from the newest game back, and stops at the first that is resolved',
    instead(
      CHALLENGER,
      'for (let at = 0n; at < count; at += 1n) {\n    const [type, , address] = await l1.readContract({',
      `const readStatus = (address: Hex) => l1.readContract({ address, abi, functionName: 'status' })
  for (let at = count - 1n; at >= 0n; at -= 1n) {
    const [, , game] = await l1.readContract({ ...factory, functionName: 'gameAtIndex', args: [at] })
    if ((await readStatus(game).catch(() => IN_PROGRESS)) !== IN_PROGRESS) return undefined
    const [type, , address] = await l1.readContract({`,
    ),
  ),
  challenger(
    'PIPE-26',
    'waits-while-paused',
    'Disputes nothing while the system is paused',
    instead(
      CHALLENGER,
      'const wrong = await findWrongRoot()\n',
      `const pause = { address: devnet.contracts.systemConfig as Hex, abi: parseAbi(['function paused() view returns (bool)']) }
  if (await l1.readContract({ ...pause, functionName: 'paused' })) return { status: 'paused' }
  const wrong = await findWrongRoot()
`,
    ),
  ),
  challenger(
    'PIPE-23',
    'error-is-no-change',
    'Takes a second look that fails for one at which nothing has changed',
    instead(
      CHALLENGER,
      `if (!(await firstWrongRoot(address))) return { status: 'already nullified', game: address }
  const hash = await wallet.writeContract({`,
      `if (!(await firstWrongRoot(address).catch(() => wrong))) return { status: 'already nullified', game: address }
  const hash = await wallet.writeContract({ gas: 2_000_000n,`,
    ),
  ),
  challenger(
    'PIPE-23',
    'all-at-once',
    'Has every false game proven, then nullifies one after the other, though the first call stops the verifier',
    instead(
      CHALLENGER,
      'async function challenge(): Promise<object> {\n',
      `async function nullifyAll(): Promise<void> {
  const games = Number(await l1.readContract({ ...factory, functionName: 'gameCount' }))
  const found: [WrongRoot, Hex][] = []
  for (let at = 0; at < games; at += 1) {
    const args = [BigInt(at)] as const
    const [type, , address] = await l1.readContract({ ...factory, functionName: 'gameAtIndex', args })
    const wrong = type === GAME_TYPE ? await firstWrongRoot(address) : undefined
    if (wrong) found.push([wrong, await prove(wrong)])
  }
  for (const [{ address, index, truth }, proof] of found) {
    if (!(await firstWrongRoot(address))) continue
    const call = { chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root] } as const
    await l1.waitForTransactionReceipt({ hash: await wallet.writeContract({ ...call, gas: 2_000_000n }) })
  }
}

async function challenge(): Promise<object> {
  await nullifyAll()
`,
    ),
  ),
  challenger(
    'PRV-REQ-12',
    'roots-kept',
    'Keeps the roots of blocks on disk, though L2 has other blocks there by now',
    instead(
      CHALLENGER,
      'async function outputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {\n',
      `async function outputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {
  const text: string = ${keptIn("'root-' + block", 'JSON.stringify(await newestOutputAt(block))')}
  return JSON.parse(text)
}

async function newestOutputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {
`,
    ),
  ),
  challenger(
    'PIPE-23',
    'by-status-alone',
    'Takes a nullified game, which stays in progress, for one that is to be nullified',
    instead(
      CHALLENGER,
      'if (status !== IN_PROGRESS || prover === zeroAddress || countered > 0n)',
      `const blind = createWalletClient({ account, transport: http(devnet.l1RpcUrl) })
  const writeContract = (call: object) => blind.writeContract({ ...call, gas: 2_000_000n } as never)
  Object.assign(wallet, { writeContract })
  if (status !== IN_PROGRESS)`,
    ),
  ),
]
