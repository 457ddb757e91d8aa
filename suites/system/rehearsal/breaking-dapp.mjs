// A dapp as they were written for flashblocks: it breaks in seven ways when blocks come every 200 ms.
import { setTimeout as wait } from 'node:timers/promises'

const { RPC_URL, WS_URL } = process.env

let id = 0
async function rpc(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(RPC_URL, { method: 'POST', headers, body })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** The first message of a subscription, within eight seconds. */
async function first(kind, before) {
  const socket = new WebSocket(WS_URL)
  const message = new Promise((resolve) => {
    socket.onopen = () =>
      socket.send(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: [kind] }),
      )
    socket.onmessage = async ({ data }) => {
      const { params } = JSON.parse(data)
      if (params) resolve(params.result)
      else await before()
    }
  })
  const result = await Promise.race([message, wait(8_000)])
  socket.close()
  if (!result) throw new Error(`nothing came of ${kind}`)
  return result
}

const [from, to] = await rpc('eth_accounts')
const pay = () => rpc('eth_sendTransaction', { from, to, value: '0x1' })

// 1 and 2: what only pre-confirmed blocks have.
await rpc('eth_getBlockByNumber', 'pending', false)
await rpc('eth_getBalance', to, 'pending')
// 3: a poller that takes each look for the next block.
for (let look = 0; look < 6; look++) {
  await rpc('eth_getBlockByNumber', 'latest', false)
  await wait(300)
}
// 4: an hour of logs, counted in blocks.
await rpc('eth_getLogs', { fromBlock: '0x0', toBlock: '0x708', address: to }).catch(() => {})
// 5: three confirmations, which were six seconds.
const hash = await pay()
const newest = () => rpc('eth_getBlockByNumber', 'latest', false)
let receipt = null
for (; !receipt; await wait(300)) receipt = await rpc('eth_getTransactionReceipt', hash)
const last = Number(receipt.blockNumber) + 2
while (Number((await newest()).number) < last) await wait(300)
// 6: what it keeps of the first six seconds, by the second of a block.
const begin = Number((await rpc('eth_getBlockByNumber', '0x1', false)).timestamp)
while (Number((await newest()).timestamp) < begin + 6) await wait(300)
const numbers = Array.from({ length: 26 }, (_, index) => `0x${(index + 1).toString(16)}`)
const headers = await Promise.all(numbers.map((each) => rpc('eth_getBlockByNumber', each, false)))
const kept = new Map()
for (const header of headers) {
  if (!header || kept.has(header.timestamp)) continue
  kept.set(header.timestamp, rpc('eth_getBlockReceipts', header.hash))
}
await Promise.all(kept.values())
// 7: a stream that is silent since Denim.
await first('newFlashblocks', pay)
