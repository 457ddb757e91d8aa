import type { Hash, Hex } from '#protocol/types/bytes'

/**
 * What go-ethereum's tracers (our measure) and anvil 1.7.1 tell differently is taken out of both
 * traces here, each with its reason; the rest must be the same.
 */

export interface CallFrame {
  type: string
  to?: Hex
  input: Hex
  gas?: Hex
  gasUsed?: Hex
  from?: Hex
  value?: Hex
  error?: string
  logs?: { index?: Hex }[]
  calls?: CallFrame[]
}

/**
 * A deposit that cannot run: it stands in the block, and no frame is ever opened. anvil shows an
 * empty one, or one that fails at the transfer; ours names the deposit.
 */
export function isRefusedDeposit({ from, to, gas, error }: CallFrame): boolean {
  const isEmpty = from === `0x${'0'.repeat(40)}` && to === from && gas === '0x0'
  return isEmpty || error === 'insufficient balance for transfer'
}

export function agreedCallFrame(frame: CallFrame, isRoot = true): CallFrame {
  const agreed: CallFrame = { ...frame }
  // anvil: the gas of the frame without the intrinsic gas, and the block's gas so far.
  if (isRoot) {
    delete agreed.gas
    delete agreed.gasUsed
  }
  // revm has its own words.
  if (agreed.error !== undefined) agreed.error = 'failed'
  // anvil keeps the logs of a transaction that failed.
  if (agreed.error !== undefined) delete agreed.logs
  // anvil counts logs from the transaction's start, go-ethereum from the block's.
  agreed.logs = agreed.logs?.map(({ index: _, ...log }) => log)
  // anvil names nobody when a contract destroys itself for itself.
  if (agreed.type === 'SELFDESTRUCT') return { type: agreed.type, input: '0x' }
  if (agreed.calls) agreed.calls = agreed.calls.map((inner) => agreedCallFrame(inner, false))
  return agreed
}

export interface FlatTrace {
  action: Record<string, unknown>
  error?: string
  result: Record<string, unknown> | null
  subtraces: number
  traceAddress: number[]
  type: string
}

/** A trace of OpenEthereum's form, without its place on the chain. */
export function agreedFlatTrace(trace: FlatTrace): FlatTrace {
  const { action, error, result, subtraces, traceAddress, type } = trace
  const shared = { subtraces, traceAddress, type }
  // anvil names nobody when a contract destroys itself for itself.
  if (type === 'suicide') return { action: {}, result: null, ...shared }
  return { action, result, ...(error !== undefined && { error: agreedError(error) }), ...shared }
}

/** revm's own names stand where OpenEthereum has no word. */
function agreedError(error: string): string {
  if (error === 'CreateContractStartingWithEF') return 'invalid code: must not begin with 0xef'
  return error === 'StackUnderflow' ? 'Stack underflow' : error
}

export type Accounts = Record<Hex, { balance?: Hex; nonce?: number; code?: Hex; codeHash?: Hash }>

/** Who gets OP's fees: go-ethereum looks at the recipient always, anvil where something is paid. */
const FEE_RECIPIENT = /^0x42000000000000000000000000000000000000(11|19|1a|1b)$/

/** anvil has no code hashes, and tells of accounts that do not exist. */
export function agreedAccounts(accounts: Accounts, keepsFeeRecipients = false): Accounts {
  const shown = Object.entries(accounts)
    .map(([address, { codeHash: _, ...account }]) => [address, withoutNoCode(account)] as const)
    .filter(([, { balance, nonce, code }]) => balance !== '0x0' || nonce || code)
    .filter(([address]) => keepsFeeRecipients || !FEE_RECIPIENT.test(address))
  return Object.fromEntries(shown)
}

/** go-ethereum tells when an account has lost its code, anvil does not. */
function withoutNoCode({ code, ...account }: Accounts[Hex]): Accounts[Hex] {
  return code === undefined || code === '0x' ? account : { ...account, code }
}

export interface StructLog {
  op: string
  stack?: Hex[]
  gasCost?: number
  error?: string
  memory?: Hex[]
  returnData?: Hex
  refund?: number
  storage?: Record<Hash, Hash>
}

export interface StructTrace {
  gas?: number
  structLogs: StructLog[]
}

/** Both traces, without what they may tell differently. */
export function agreedStructTraces(ours: StructTrace, theirs: StructTrace) {
  const { gas: _, ...rest } = ours
  const { gas: __, ...theirRest } = theirs
  const logs = ours.structLogs.map((log, index) => agreedStructLogs(log, theirs.structLogs[index]))
  const missing = theirs.structLogs.slice(logs.length)
  return {
    ours: { ...rest, structLogs: logs.map((pair) => pair.ours) },
    theirs: { ...theirRest, structLogs: [...logs.map((pair) => pair.theirs), ...missing] },
  }
}

function agreedStructLogs(ours: StructLog, theirs: StructLog | undefined) {
  if (!theirs) return { ours, theirs }
  // Undefined opcodes have no names in go-ethereum and in revm other ones, some of later forks.
  if (/^INVALID$|not defined$/.test(ours.op)) {
    return { ours: 'fails', theirs: theirs.error ? 'fails' : theirs.op }
  }
  // anvil also has errors for what fails while it runs, and tells what had been paid by then.
  if (theirs.error !== undefined) return { ours: ours.op, theirs: theirs.op }
  return { ours: agreedStructLog(ours), theirs: agreedStructLog(theirs) }
}

function agreedStructLog(log: StructLog): StructLog {
  const agreed: StructLog = { ...log }
  // go-ethereum leaves out what is empty.
  if (!agreed.memory?.length) delete agreed.memory
  if (agreed.returnData === '0x') delete agreed.returnData
  // The transaction's in go-ethereum, the frame's in anvil.
  delete agreed.refund
  // anvil lets a creation pay what it passes on; go-ethereum does so for calls only.
  if (agreed.op.startsWith('CREATE')) delete agreed.gasCost
  // anvil tells neither of slots that are read when they are warm, nor of writes that change nothing.
  delete agreed.storage
  return agreed
}
