/**
 * A client that knows nothing of rollbed, to start your own from: it tells every log of one contract
 * once, as soon as it is pre-confirmed, and tells it again when a reorganization takes it out. A line
 * that breaks is opened again, and what went by meanwhile is read.
 *
 *     WATCH_ADDRESS=0x… node own-client.ts devnet.json
 *
 * Node 22.18 and newer run TypeScript as it is; with an older one `npx node@24` stands in the place of `node`.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

interface Log {
  transactionHash: string
  logIndex: string
  removed?: boolean
}

const PAUSE = 100
const devnet = JSON.parse(await readFile(process.argv[2] ?? 'devnet.json', 'utf8'))
const address = process.env.WATCH_ADDRESS
const printed = new Map<string, Log>()

const keyOf = ({ transactionHash, logIndex }: Log) => `${transactionHash} ${logIndex}`

/** A log is heard of up to three times: pre-confirmed, sealed, and read after the line was down. */
function tell(log: Log): void {
  const { transactionHash, logIndex, removed = false } = log
  const key = keyOf(log)
  if (printed.has(key) !== removed) return
  if (removed) printed.delete(key)
  else printed.set(key, log)
  process.stdout.write(`${JSON.stringify({ transactionHash, logIndex, removed })}\n`)
}

/** Of a log that was taken out while the line was down no stream says so. */
function compare(logs: Log[], before: Log[]): void {
  const there = new Set(logs.map(keyOf))
  for (const log of before) if (!there.has(keyOf(log))) tell({ ...log, removed: true })
  for (const log of logs) tell(log)
}

/** Until the line breaks. */
async function follow(): Promise<void> {
  const before = [...printed.values()]
  const socket = new WebSocket(devnet.wsUrl)
  const request = (id: number, method: string, params: unknown[]) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  socket.addEventListener('open', () => {
    request(1, 'eth_subscribe', ['logs', { address }])
    request(2, 'eth_subscribe', ['pendingLogs', { address }])
    request(3, 'eth_getLogs', [{ address, fromBlock: 'earliest', toBlock: 'pending' }])
  })
  socket.addEventListener('message', ({ data }) => {
    const { result, params } = JSON.parse(data) as { result?: Log[]; params?: { result: Log } }
    if (params) tell(params.result)
    if (Array.isArray(result)) compare(result, before)
  })
  await new Promise((resolve) => socket.addEventListener('close', resolve))
}

for (;;) {
  await follow()
  await sleep(PAUSE)
}
