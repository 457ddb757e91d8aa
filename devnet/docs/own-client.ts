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
const printed = new Set<string>()

/** A log is heard of up to three times: pre-confirmed, sealed, and read after the line was down. */
function tell({ transactionHash, logIndex, removed = false }: Log): void {
  const key = `${transactionHash} ${logIndex}`
  if (printed.has(key) !== removed) return
  if (removed) printed.delete(key)
  else printed.add(key)
  process.stdout.write(`${JSON.stringify({ transactionHash, logIndex, removed })}\n`)
}

/** Until the line breaks. */
async function follow(): Promise<void> {
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
    if (Array.isArray(result)) for (const log of result) tell(log)
  })
  await new Promise((resolve) => socket.addEventListener('close', resolve))
}

for (;;) {
  await follow()
  await sleep(PAUSE)
}
