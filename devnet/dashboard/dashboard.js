const SHOWN_BLOCKS = 12
const element = (id) => document.getElementById(id)
const heads = { latest: '…', safe: '…', finalized: '…', pending: '…' }

function make(tag, ...content) {
  const node = document.createElement(tag)
  node.append(...content)
  return node
}

const row = (...values) => make('tr', ...values.map((value) => make('td', value)))
const code = (text) => make('code', text)

function showHeads() {
  const cards = Object.entries(heads).map(([name, value]) =>
    make('div', make('dt', name), make('dd', value)),
  )
  element('heads').replaceChildren(...cards)
}

async function call(url, method, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()).result
}

function onFlashblock(block) {
  heads.pending = `${block.transactions.length} tx`
  element('flashblocks').append(make('li', block.transactions.length))
}

async function onSealed(rpcUrl, hash) {
  element('flashblocks').replaceChildren()
  const block = await call(rpcUrl, 'eth_getBlockByHash', [hash, false])
  if (!block) return
  const gas = Number(block.gasUsed).toLocaleString('en')
  const blocks = element('blocks')
  blocks.prepend(row(Number(block.number), block.transactions.length, gas, code(block.hash)))
  while (blocks.rows.length > SHOWN_BLOCKS) blocks.deleteRow(-1)
  for (const tag of ['latest', 'safe', 'finalized']) {
    const head = await call(rpcUrl, 'eth_getBlockByNumber', [tag, false])
    heads[tag] = Number(head?.number ?? 0)
  }
}

function follow(devnet) {
  const socket = new WebSocket(devnet.wsUrl)
  const kinds = new Map()
  socket.onopen = () => {
    for (const kind of ['newHeads', 'newFlashblocks']) {
      const request = { jsonrpc: '2.0', id: kind, method: 'eth_subscribe', params: [kind] }
      socket.send(JSON.stringify(request))
    }
  }
  socket.onclose = () => {
    heads.pending = 'stopped'
    showHeads()
  }
  socket.onmessage = async ({ data }) => {
    const message = JSON.parse(data)
    if (message.id) return kinds.set(message.result, message.id)
    const { subscription, result } = message.params
    if (kinds.get(subscription) === 'newFlashblocks') onFlashblock(result)
    else await onSealed(devnet.rpcUrl, result.hash)
    showHeads()
  }
}

async function showTrouble() {
  const answer = await fetch('healthz').then(
    (response) => response.json(),
    () => undefined,
  )
  const { dead = [], warnings = [] } = answer ?? {
    dead: [{ part: 'devnet', problem: 'it does not answer any more.' }],
  }
  const banner = element('trouble')
  const text = [...dead, ...warnings].map(({ part, problem }) => `${part}: ${problem}`)
  banner.textContent = text.join(' ')
  banner.hidden = text.length === 0
}

const devnet = await (await fetch('devnet.json')).json()
element('chain').textContent = `chain ${devnet.chainId}, profile ${devnet.profile}`
element('enclaves').replaceChildren(
  ...devnet.enclaves.map(({ cid, kind, signer, imageHash }) =>
    row(cid, kind, code(signer), code(imageHash)),
  ),
)
element('endpoints').replaceChildren(
  ...Object.entries(devnet)
    .filter(([name]) => name.endsWith('Url'))
    .map(([name, value]) => row(name, code(value))),
)
// The next block may be seconds away, or never come by itself (--manual).
const { hash } = await call(devnet.rpcUrl, 'eth_getBlockByNumber', ['latest', false])
await onSealed(devnet.rpcUrl, hash)
showHeads()
follow(devnet)
await showTrouble()
// biome-ignore lint/style/noRestrictedGlobals: a page has the browser's clock only.
setInterval(showTrouble, 2_000)
