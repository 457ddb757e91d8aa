import {
  type Abi,
  type Address,
  type Chain,
  type Client,
  type ContractEventArgs,
  type ContractEventName,
  type EncodeEventTopicsParameters,
  encodeEventTopics,
  formatLog,
  type Log,
  type ParseEventLogsReturnType,
  parseEventLogs,
  type RpcLog,
  type Transport,
} from 'viem'
import { subscribe } from './subscribe.ts'

/** Without an ABI logs come as they are, with one they are decoded, and others are left out. */
export type PendingLog<
  abi extends Abi | undefined,
  eventName extends string | undefined,
> = abi extends Abi
  ? ParseEventLogsReturnType<
      abi,
      eventName extends ContractEventName<abi> ? eventName : undefined,
      true
    >[number]
  : Log<bigint, number, false>

export interface WatchPendingLogsParameters<
  abi extends Abi | undefined = undefined,
  eventName extends (abi extends Abi ? ContractEventName<abi> : undefined) | undefined = undefined,
> {
  address?: Address | Address[] | undefined
  abi?: abi
  eventName?: eventName
  /** Values of indexed arguments that are looked for; needs `eventName`. */
  args?: abi extends Abi
    ? ContractEventArgs<abi, eventName extends ContractEventName<abi> ? eventName : never>
    : undefined
  /** One log; again with `removed: true` when its pre-confirmation was dropped (OPEN-21). */
  onLog(log: PendingLog<abi, eventName>): void
  onError?: ((error: Error) => void) | undefined
}

/** @see PreconfirmationActions.watchPendingLogs */
export function watchPendingLogs<
  const abi extends Abi | undefined = undefined,
  eventName extends (abi extends Abi ? ContractEventName<abi> : undefined) | undefined = undefined,
>(
  client: Client<Transport, Chain | undefined>,
  parameters: WatchPendingLogsParameters<abi, eventName>,
): () => void {
  const { address, abi, eventName, args, onLog, onError } = parameters
  const topics =
    abi && eventName
      ? encodeEventTopics({ abi: abi as Abi, eventName, args } as EncodeEventTopicsParameters)
      : []
  return subscribe(
    client,
    ['pendingLogs', { ...(address && { address }), topics }],
    (result) => {
      const log = formatLog(result as RpcLog)
      const decoded = abi
        ? parseEventLogs({ abi: abi as Abi, logs: [log] as Log[], ...(eventName && { eventName }) })
        : [log]
      for (const each of decoded) onLog(each as unknown as PendingLog<abi, eventName>)
    },
    onError,
  )
}
