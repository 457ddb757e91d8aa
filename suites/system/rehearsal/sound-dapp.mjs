// A dapp that means the same on both sides of Denim: it pays for five seconds, or until it has crossed,
// follows heads, and reads at latest.
const { RPC_URL, WS_URL, ROLLBED_ERA } = process.env

let id = 0
async function rpc(method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(RPC_URL, { method: 'POST', headers, body })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

let onHead = () => {}
/** Seconds of the newest head. */
let now = 0
/** Whether two heads were of one second. */
let isFast = false
const socket = new WebSocket(WS_URL)
const ready = new Promise((resolve) => {
  socket.onopen = () =>
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  socket.onmessage = ({ data }) => {
    const { params } = JSON.parse(data)
    if (!params) return resolve()
    const seconds = Number(params.result.timestamp)
    isFast ||= seconds === now
    now = seconds
    onHead()
  }
})

/** The receipt, with the head that has it. */
function mined(hash) {
  return new Promise((resolve) => {
    onHead = async () => {
      const receipt = await rpc('eth_getTransactionReceipt', hash)
      const head = Number(await rpc('eth_blockNumber'))
      if (receipt && Number(receipt.blockNumber) <= head) resolve(receipt)
    }
  })
}

await ready
const [from, to] = await rpc('eth_accounts')
let start = 0
while (now < start + 5 || (ROLLBED_ERA === 'across' && !isFast)) {
  const before = BigInt(await rpc('eth_getBalance', to, 'latest'))
  const { blockNumber } = await mined(await rpc('eth_sendTransaction', { from, to, value: '0x1' }))
  const after = BigInt(await rpc('eth_getBalance', to, 'latest'))
  start ||= now
  if (after !== before + 1n) throw new Error(`${before} became ${after}`)
  await rpc('eth_getLogs', { fromBlock: blockNumber, toBlock: blockNumber })
}
socket.close()
