import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startDevnet } from '#devnet/index'
import { type Clock, sleep } from '#protocol/clock/clock'
import { type BoardTarget, HARDHAT_CONFIG } from './board-targets.ts'

/** Milliseconds until a node that was started answers, and from one question to the next. */
const [PATIENCE, PACE] = [90_000, 300]

export interface StartedTarget extends AsyncDisposable {
  rpc: string
  ws: string
}

/** Installs the package of a target into a folder of its own and starts a node; or a devnet of ours. */
export async function startBoardTarget(
  { package: name, command, path = '', chain }: BoardTarget,
  clock: Clock,
): Promise<StartedTarget> {
  await using resources = new AsyncDisposableStack()
  if (!name || !command) {
    const devnet = await startDevnet(chain ? { upgrades: chain } : {})
    resources.defer(() => devnet.stop())
    const { rpcUrl, wsUrl } = devnet.description
    const owned = resources.move()
    const [rpc, ws] = [rpcUrl, wsUrl].map((url) => `${url.replace(/\/$/, '')}${path}`)
    return { rpc: rpc!, ws: ws!, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-board-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'hardhat.config.js'), HARDHAT_CONFIG)
  const install = ['install', '--no-audit', '--no-fund', name]
  await promisify(execFile)('npm', install, { cwd: folder })

  const port = String(await freePort())
  const [bin, ...args] = command(port)
  const node = spawn(join(folder, 'node_modules/.bin', bin!), args, {
    ...{ cwd: folder, detached: true },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => node.once('exit', () => resolve()))
  resources.defer(async () => {
    // Its own group: what npm puts around a node may not hand a signal on.
    if (node.exitCode === null && node.pid) process.kill(-node.pid, 'SIGKILL')
    await ended
  })
  const address = `127.0.0.1:${port}`
  await answers(`http://${address}`, { clock, isOver: () => node.exitCode !== null })
  const owned = resources.move()
  return {
    ...{ rpc: `http://${address}`, ws: `ws://${address}` },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** @throws Error when nothing answers in time, or the node has ended */
async function answers(
  url: string,
  { clock, isOver }: { clock: Clock; isOver: () => boolean },
): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const headers = { 'content-type': 'application/json' }
  for (const end = clock.now() + PATIENCE; clock.now() < end; await sleep(clock, PACE)) {
    if (isOver()) throw new Error('The node has ended.')
    const reply = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    if (reply?.ok) return
  }
  throw new Error(`Nothing answered at ${url} within ${PATIENCE / 1000} s.`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
