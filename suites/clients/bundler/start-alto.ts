import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'
import { endWithParent } from '#devnet/base/process/end-with-parent'
import { lane } from '#suites/lane'

export interface Alto {
  url: string
  stop(): Promise<void>
}

/**
 * The ERC-4337 bundler of Pimlico in front of a node, on a free port.
 * @param keys of the account that sends bundles, and of the one that pays for what alto deploys
 */
export async function startAlto(
  rpcUrl: string,
  entryPoint: Hex,
  keys: { executor: Hex; utility: Hex },
): Promise<Alto> {
  const flags = {
    entrypoints: entryPoint,
    'executor-private-keys': keys.executor,
    'utility-private-key': keys.utility,
    'rpc-url': rpcUrl,
    port: '0',
    // Its tracer is a JavaScript program.
    'safe-mode': 'false',
    'min-balance': '0',
    json: 'true',
    'refilling-wallets': 'false',
    // Its own sum leaves no gas for the first deposit of an account.
    'executor-gas-multiplier': '150',
  }
  const cli = lane('clients').file('@pimlico/alto/esm/cli/alto.js')
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [cli, 'run', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  void endWithParent(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const said: string[] = []
  const port = await new Promise<string>((resolve, reject) => {
    const listen = (line: string) => {
      said.push(line)
      const found = /Server listening at http:\/\/[^:]+:(\d+)/.exec(line)
      if (found) resolve(found[1]!)
    }
    createInterface({ input: child.stdout }).on('line', listen)
    createInterface({ input: child.stderr }).on('line', listen)
    child.once('close', (code) => {
      reject(new Error(`alto has ended with ${code}:\n${said.slice(-20).join('\n')}`))
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
