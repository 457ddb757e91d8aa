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
/** Blocks whose logs are asked for at once. A node may refuse 2,000 and more, or take too long. */
const PAGE = 1_000
const devnet = JSON.parse(await readFile(process.argv[2] ?? 'devnet.json', 'utf8'))
const address = process.env.WATCH_ADDRESS
const printed = new Map<string, Log>()

const toHex = (number: number) => `0x${number.toString(16)}`
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
function compare(there: Map<string, Log>, before: Log[]): void {
  for (const log of before) if (!there.has(keyOf(log))) tell({ ...log, removed: true })
  for (const log of there.values()) tell(log)
}

/** Until the line breaks. */
async function follow(): Promise<void> {
  const before = [...printed.values()]
  const there = new Map<string, Log>()
  const waiting: ((result: unknown) => void)[] = []
  const socket = new WebSocket(devnet.wsUrl)
  const ask = (method: string, params: unknown[]) =>
    new Promise((resolve) => {
      const id = waiting.push(resolve) - 1
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  const read = async () => {
    const newest = Number(await ask('eth_blockNumber', []))
    for (let from = 0; from <= newest; from += PAGE) {
      const toBlock = from + PAGE > newest ? 'pending' : toHex(from + PAGE - 1)
      const logs = await ask('eth_getLogs', [{ address, fromBlock: toHex(from), toBlock }])
      for (const log of logs as Log[]) there.set(keyOf(log), log)
    }
    compare(there, before)
  }
  socket.addEventListener('open', () => {
    ask('eth_subscribe', ['logs', { address }])
    ask('eth_subscribe', ['pendingLogs', { address }])
    read()
  })
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, params } = JSON.parse(data)
    if (params) hear(params.result)
    else if (error) {
      process.stderr.write(`${error.message}\n`)
      socket.close()
    } else waiting[id]?.(result)
  })
  await new Promise((resolve) => socket.addEventListener('close', resolve))

  /** What is taken out while the pages come is no longer what they said. */
  function hear(log: Log): void {
    if (log.removed) there.delete(keyOf(log))
    else there.set(keyOf(log), log)
    tell(log)
  }
}

for (;;) {
  await follow()
  await sleep(PAUSE)
}
