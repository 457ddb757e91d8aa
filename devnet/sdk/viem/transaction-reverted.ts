import {
  type Abi,
  type Chain,
  type Client,
  decodeErrorResult,
  type Hex,
  type TransactionReceipt,
  type Transport,
} from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** The transaction stands in its block, and did nothing but pay. `code` is `TRANSACTION_REVERTED`. */
export class TransactionReverted extends RollbedError {
  readonly receipt: TransactionReceipt
  /** As `transfer amount exceeds balance`, `Unauthorized(0x…)`; undefined where the contract gave none. */
  readonly reason: string | undefined
  /** What the contract gave back; undefined on a chain that serves no traces. */
  readonly data: Hex | undefined

  constructor(receipt: TransactionReceipt, outcome: { reason?: string; data?: Hex }) {
    const { transactionHash: hash, blockNumber } = receipt
    const why = outcome.reason ?? 'the contract gave no reason'
    super('TRANSACTION_REVERTED', `Transaction ${hash} reverted in block ${blockNumber}: ${why}`, {
      hint: 'With throwOnReceiptRevert: false its receipt is no error; debug_traceTransaction tells more.',
    })
    this.receipt = receipt
    this.reason = outcome.reason
    this.data = outcome.data
  }
}

interface Trace {
  output?: Hex
  error?: string
  revertReason?: string
}

/** @throws TransactionReverted */
export async function requireSuccess(
  client: Client<Transport, Chain | undefined>,
  receipt: TransactionReceipt,
  abi: Abi = [],
): Promise<void> {
  if (receipt.status === 'success') return
  const trace = await traceOf(client, receipt.transactionHash)
  const { output: data, revertReason, error } = trace ?? {}
  const decoded = data && data.length >= 10 ? decode(abi, data) : undefined
  // `execution reverted` says no more than the error itself; `out of gas` does.
  const halt = error === 'execution reverted' ? undefined : error
  const reason = revertReason ?? decoded ?? halt
  throw new TransactionReverted(receipt, {
    ...(reason !== undefined && { reason }),
    ...(data !== undefined && { data }),
  })
}

/** The receipt alone does not say why. undefined: this chain serves no traces. */
function traceOf(client: Client<Transport>, hash: Hex): Promise<Trace | undefined> {
  return client
    .request<{ Method: string; Parameters: unknown[]; ReturnType: Trace }>({
      method: 'debug_traceTransaction',
      params: [hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }],
    })
    .catch(() => undefined)
}

function decode(abi: Abi, data: Hex): string | undefined {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    return `${errorName}(${(args as readonly unknown[]).map(String).join(', ')})`
  } catch {
    return undefined
  }
}
