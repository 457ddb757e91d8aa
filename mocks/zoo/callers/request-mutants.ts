import { instead, keptIn } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const challenger = mutantsOf('challenger', 'challenger')

const CHALLENGER = 'own-challenger.ts'
const BLOCK = `await rpc<Record<string, Hex>>(
    devnet.rpcUrl,
    'eth_getBlockByNumber',
    numberToHex(block),
    false,
  )`
const L1_HEAD = `const l1Head = await l1.readContract({ ...game, functionName: 'l1Head' })
  const { number } = await l1.getBlock({ blockHash: l1Head })`
const RPC =
  'async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {\n'
const RESULT = 'const { signature, output_root, l2_block_number } = Tee.aggregate_proposal'

/** Challengers that ask for another proof than they should, once something is not as usual. */
export const REQUEST_MUTANTS: readonly Mutant[] = [
  challenger(
    'PIPE-26',
    'one-withdrawals-root',
    'Takes the withdrawalsRoot of the first block that it reads for that of every other',
    instead(
      CHALLENGER,
      'stateRoot!, withdrawalsRoot!,',
      'stateRoot!, ((globalThis as any).withdrawals ??= withdrawalsRoot!),',
    ),
  ),
  challenger(
    'PRV-REQ-12',
    'newest-for-no-block',
    'Takes the newest block where its L2 node does not have the one it asks for',
    instead(
      CHALLENGER,
      BLOCK,
      `(${BLOCK}) ?? (await rpc<Record<string, Hex>>(devnet.rpcUrl, 'eth_getBlockByNumber', 'latest', false))`,
    ),
  ),
  challenger(
    'PRV-REQ-07',
    'claims-what-is-final',
    'Names the newest final block of L2 where the end of its range is not final yet',
    instead(
      CHALLENGER,
      'claimed_l2_block_number: Number(end)',
      "claimed_l2_block_number: Math.min(Number(end), Number((await rpc<{ number: Hex }>(devnet.rpcUrl, 'eth_getBlockByNumber', 'finalized', false)).number))",
    ),
  ),
  challenger(
    'PRV-REQ-03',
    'newest-head-when-l1-fails',
    'Asks from the newest L1 block where L1 does not give it the one of the game',
    instead(
      CHALLENGER,
      L1_HEAD,
      `const { number, hash: l1Head } = await l1
    .getBlock({ blockHash: await l1.readContract({ ...game, functionName: 'l1Head' }) })
    .catch(() => l1.getBlock())`,
    ),
  ),
  challenger(
    'PRV-REQ-03',
    'newest-head-after-error',
    'Asks from the newest L1 block once the host had an error',
    instead(
      CHALLENGER,
      RPC,
      `${RPC}  if (method === 'prover_prove' && params.length === 1)
    try {
      return await rpc<T>(url, method, params[0], undefined)
    } catch (error) {
      if (!String(error).includes('-32000')) throw error
      const { number, hash } = await l1.getBlock()
      params[0] = { ...(params[0] as object), l1_head: hash, l1_head_number: Number(number) }
    }
`,
    ),
  ),
  challenger(
    'PRV-REQ-02',
    'own-method-first',
    'Asks by a method for disputes first',
    instead(
      CHALLENGER,
      RPC,
      `${RPC}  if (method === 'prover_prove')
    try {
      return await rpc<T>(url, 'prover_proveDispute', ...params)
    } catch (error) {
      if (!String(error).includes('-32601')) throw error
    }
`,
    ),
  ),
  challenger(
    'PRV-REQ-08',
    'first-account-kept',
    'Keeps the account that it had at its first dispute on disk, and has all later proofs made for it',
    instead(
      CHALLENGER,
      'proposer: account.address',
      `proposer: ${keptIn("'account'", 'account.address')}`,
    ),
  ),
  challenger(
    'PRV-REQ-08',
    'other-account-while-one-waits',
    'Sends from another account than the proof is for while a transaction of that one waits',
    instead(
      CHALLENGER,
      `if (await isWaiting()) return { status: 'an earlier transaction waits for its block' }
  const proof = await prove(wrong)
`,
      `const isSecond = await isWaiting()
  const proof = await prove(wrong)
  const other = privateKeyToAccount(devnet.accounts[2].privateKey)
  const { writeContract } = createWalletClient({ account: other, transport: http(devnet.l1RpcUrl) })
  if (isSecond) Object.assign(wallet, { writeContract })
`,
    ),
  ),
  challenger(
    'PIPE-26',
    'first-signers-kept',
    'Keeps the signers of its first proof on disk, and takes no proof once the host has others',
    instead(
      CHALLENGER,
      RESULT,
      `const keys = JSON.stringify(await rpc(devnet.proverUrl, 'enclave_signerPublicKey'))
  if (keys !== (${keptIn("'keys'", 'keys')})) throw new Error('other signers')
  ${RESULT}`,
    ),
  ),
]
