import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex, parseAbiItem } from 'viem'
import { z } from 'zod'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { explainTransaction } from './explain-transaction.ts'
import { runGate } from './run-gate.ts'
import { type Tool, tool } from './tool.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .describe('20 bytes of hex')
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .describe('32 bytes of hex')
const bytes = z.string().regex(/^0x([0-9a-fA-F]{2})*$/)
const on = z.string().optional().describe('id of a branch; default: the chain itself')
const block = z
  .string()
  .default('pending')
  .describe('pending (with what is pre-confirmed), latest, safe, finalized, or a number')
  // As status tells them.
  .transform((text) => (/^\d+$/.test(text) ? `0x${BigInt(text).toString(16)}` : text))
const signature = z
  .string()
  .describe("as in 'function transfer(address to, uint256 amount) returns (bool)'")
const args = z.array(z.unknown()).default([]).describe('in order; whole numbers as decimal texts')
const account = z.int().min(0).max(9).default(0).describe('which of the ten funded accounts')
const wei = z.string().regex(/^\d+$/).default('0').describe('wei, as a decimal text')

/** What an estimate cannot tell: enough for a transaction that is to fail. */
const GAS_TO_FAIL = 2_000_000n

const WITHOUT_RETURNS =
  "The signature does not say what it returns: add 'returns (…)' to have it read."

/** Everything an agent can do, in the order in which it will want it. */
export const TOOLS: readonly Tool[] = [
  tool({
    name: 'start',
    says: 'Start the devnet of this session: L1, L2 with pre-confirmations every 200 ms, builder-code API, explorer and (with enclaves) a prover. Gives back its URLs and ten funded accounts with their keys.',
    effect: 'changes',
    input: z.object({
      enclaves: z.int().min(0).max(4).default(0).describe('simulated enclaves; 0: no prover'),
      faults: z.boolean().default(false).describe('take faults (the fault tools need it)'),
      blockTime: z.int().min(1).max(60).default(2).describe('seconds between blocks'),
      artifacts: z.string().optional().describe("Foundry's out or Hardhat's artifacts folder"),
      forkUrl: z.url().optional().describe('go on from the state of the chain behind this RPC'),
      forkBlock: z.int().min(0).optional().describe('number of the block to go on from'),
    }),
    async run(devnet, { forkUrl, forkBlock, artifacts, ...options }) {
      const fork = forkUrl && { url: forkUrl, block: forkBlock }
      const { description } = await devnet.start({
        ...options,
        ...(artifacts && { artifacts }),
        ...(fork && { fork }),
      })
      return description
    },
  }),
  tool({
    name: 'status',
    says: 'How far the chain is (latest, safe, finalized), what is wrong in it, and which branches there are.',
    effect: 'reads',
    input: z.object({}),
    async run(devnet) {
      const { chain } = devnet.running.node
      const metadata = (await devnet.ask('anvil_metadata', [])) as { divergence: unknown }
      return {
        latest: chain.latest().header.number,
        safe: chain.safe().header.number,
        finalized: chain.finalized().header.number,
        preconfirmed: chain.pending()?.transactions.length ?? 0,
        divergence: metadata.divergence,
        ...devnet.running.health(),
        branches: devnet.branches,
      }
    },
  }),
  tool({
    name: 'read',
    says: 'Balance, nonce and code size of an address, and one storage slot if wanted.',
    effect: 'reads',
    input: z.object({ address, slot: bytes.optional(), block, on }),
    async run(devnet, { address, slot, block, on }) {
      const ask = (method: string, ...more: unknown[]) =>
        devnet.ask(method, [address, ...more, block], on) as Promise<Hex>
      const [balance, nonce, code] = await Promise.all([
        ask('eth_getBalance'),
        ask('eth_getTransactionCount'),
        ask('eth_getCode'),
      ])
      return {
        balance: BigInt(balance),
        nonce: Number(nonce),
        codeBytes: (code.length - 2) / 2,
        ...(slot && { value: await ask('eth_getStorageAt', slot) }),
      }
    },
  }),
  tool({
    name: 'call',
    says: 'Call a function of a contract without sending anything, on pre-confirmed state; gives back what it returns.',
    effect: 'reads',
    input: z.object({ to: address, signature, args, from: address.optional(), block, on }),
    async run(devnet, { to, signature, args, from, block, on }) {
      const abi = abiOf(signature)
      const data = encodeFunctionData({ abi, args })
      const ask = (method: string, ...params: unknown[]) =>
        devnet.ask(method, [...params, block], on) as Promise<Hex>
      const output = await ask('eth_call', { to, data, ...(from && { from }) })
      if (output === '0x' && (await ask('eth_getCode', to)) === '0x') {
        throw new RollbedError('NO_CONTRACT', `At ${to} there is no contract.`, {
          hint: 'Look at the address, and whether it was made on this branch and by this block.',
        })
      }
      // A signature without its returns is asked often; the bytes are better than nothing.
      if (!/\breturns\b/.test(signature)) return { output, note: WITHOUT_RETURNS }
      return { result: decodeFunctionResult({ abi, data: output }) }
    },
  }),
  tool({
    name: 'send',
    says: 'Send a transaction from a funded account and wait until it is pre-confirmed: a transfer (to, value), a call (to, signature, args) or a creation (data alone). Refuses what would fail, and says why, unless letItFail. Gives back the receipt; its block hash is zero, for the block is not sealed yet.',
    effect: 'changes',
    input: z.object({
      from: account,
      to: address.optional(),
      value: wei,
      signature: signature.optional(),
      args,
      data: bytes.optional().describe('calldata, or the code of a creation'),
      letItFail: z.boolean().default(false).describe('send it even when it will revert'),
      on,
    }),
    async run(devnet, { from, to, value, signature, args, data, letItFail, on }) {
      const call = signature ? encodeFunctionData({ abi: abiOf(signature), args }) : data
      const request = { ...(to && { to: to as Hex }), data: (call ?? '0x') as Hex }
      const sender = devnet.account(from)
      const ask = (method: string, ...params: unknown[]) =>
        devnet.ask(method, params, on) as Promise<Hex>
      const sent = { ...request, from: sender.address, value: `0x${BigInt(value).toString(16)}` }
      const [gas, nonce, price, tip] = await Promise.all([
        letItFail ? GAS_TO_FAIL : ask('eth_estimateGas', sent),
        ask('eth_getTransactionCount', sender.address, 'pending'),
        ask('eth_gasPrice'),
        ask('eth_maxPriorityFeePerGas'),
      ])
      const raw = await sender.signTransaction({
        ...{ ...request, type: 'eip1559', value: BigInt(value), gas: BigInt(gas) },
        ...{ nonce: Number(nonce), chainId: devnet.running.description.chainId },
        // Twice: the base fee may rise until the next block.
        ...{ maxFeePerGas: 2n * BigInt(price), maxPriorityFeePerGas: BigInt(tip) },
      })
      // Of 512 digits an agent reads nothing.
      const { logsBloom, ...receipt } = (await devnet.ask(
        'eth_sendRawTransactionSync',
        [raw],
        on,
      )) as { logsBloom: Hex }
      return receipt
    },
  }),
  tool({
    name: 'rpc',
    says: 'Ask any JSON-RPC method of the devnet or a branch of it (eth_, debug_, anvil_, rollbed_ …), as the pages rpc-methods.md and anvil.md list them.',
    effect: 'changes',
    input: z.object({ method: z.string(), params: z.array(z.unknown()).default([]), on }),
    run: (devnet, { method, params, on }) => devnet.ask(method, params, on),
  }),
  tool({
    name: 'trace',
    says: 'Every call within a transaction, with gas, input, output and logs; or, with state, what it changed.',
    effect: 'reads',
    input: z.object({ hash, state: z.boolean().default(false), on }),
    run(devnet, { hash, state, on }) {
      const tracer = state
        ? { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
        : { tracer: 'callTracer', tracerConfig: { withLog: true } }
      return devnet.ask('debug_traceTransaction', [hash, tracer], on)
    },
  }),
  tool({
    name: 'explain',
    says: 'Why a transaction failed, waits or is gone: the reason in words, and the calls that led to it.',
    effect: 'reads',
    input: z.object({ hash, on }),
    run: (devnet, { hash, on }) => explainTransaction(devnet, hash, on),
  }),
  tool({
    name: 'branch',
    says: 'Make a second chain upon the state of now (or of a block): what is sent there is seen nowhere else. Gives back its id, for the on of other tools.',
    effect: 'changes',
    input: z.object({ block, on }),
    run: async (devnet, { block, on }) => ({ id: await devnet.branch(block, on) }),
  }),
  tool({
    name: 'drop_branch',
    says: 'End a branch.',
    effect: 'ends',
    input: z.object({ id: z.string() }),
    run: async (devnet, { id }) => ({ dropped: await devnet.dropBranch(id) }),
  }),
  tool({
    name: 'pass_time',
    says: 'Let so many seconds pass at once, for the whole devnet or for a branch: blocks, batches and games that fall due have come about afterwards.',
    effect: 'changes',
    input: z.object({
      seconds: z
        .number()
        .min(0)
        .max(30 * 86_400),
      on,
    }),
    async run(devnet, { seconds, on }) {
      if (on === undefined) await devnet.running.passTime(seconds)
      else await devnet.ask('rollbed_increaseTime', [seconds], on)
      return { passed: seconds }
    },
  }),
  tool({
    name: 'faults',
    says: 'The faults that act now, and what can be done to what. Needs a devnet that was started with faults.',
    effect: 'reads',
    input: z.object({}),
    run: (devnet) => devnet.ask('rollbed_faultList', []),
  }),
  tool({
    name: 'inject_fault',
    says: 'Bring a fault about, as in target chain:l1, fault reorg, with {"depth": 2}. Gives back its id.',
    effect: 'changes',
    input: z.object({
      target: z.string(),
      fault: z.string(),
      with: z.record(z.string(), z.unknown()).default({}),
    }),
    run: (devnet, { target, fault, with: parameters }) =>
      devnet.ask('rollbed_faultInject', [target, fault, parameters]),
  }),
  tool({
    name: 'clear_faults',
    says: 'End one fault by its id, or all.',
    effect: 'changes',
    input: z.object({ id: z.int().optional() }),
    run: async (devnet, { id }) => ({
      cleared: await devnet.ask('rollbed_faultClear', id === undefined ? [] : [id]),
    }),
  }),
  tool({
    name: 'conform',
    says: 'Run the conformance gate on the devnet: all cases (minutes), or those that only names by case id, area or rule id, with * for many.',
    effect: 'changes',
    input: z.object({ only: z.string().optional() }),
    run: (devnet, { only }) => runGate(devnet.running.description, only, devnet.signal),
  }),
  tool({
    name: 'stop',
    says: 'End the devnet; nothing of it is left.',
    effect: 'ends',
    input: z.object({}),
    async run(devnet) {
      await devnet.stop()
      return { stopped: true }
    },
  }),
]

function abiOf(signature: string): Abi {
  const text = /^function\b/.test(signature) ? signature : `function ${signature}`
  return [parseAbiItem(text as string)] as unknown as Abi
}
