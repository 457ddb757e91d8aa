import { RollbedError } from '#protocol/errors/rollbed-error'
import type { DevnetOptions } from './base/options/devnet-options.ts'
import { isNewEnough, LEAST_NODE } from './base/process/least-node.ts'
import type { Devnet } from './start-devnet.ts'

/**
 * Starts the whole devnet in this process, with anvil and the enclaves as its children: what
 * `rollbed up` runs. Its modules are loaded by the first call: importing rollbed costs next to nothing.
 *
 * @throws RollbedError NODE_TOO_OLD, ANVIL_MISSING, PORT_BUSY, L1_TOO_FAST, …; nothing is left running
 * @example
 * await using devnet = await startDevnet()
 * const client = createPublicClient({ transport: http(devnet.description.rpcUrl) })
 */
export async function startDevnetLazily(options: DevnetOptions = {}): Promise<Devnet> {
  const { node } = process.versions
  if (!isNewEnough(node)) throw nodeTooOld(node)
  const { startDevnet } = await import('./start-devnet.ts')
  return await startDevnet(options)
}

function nodeTooOld(version: string): RollbedError {
  return new RollbedError(
    'NODE_TOO_OLD',
    `A devnet needs Node ${LEAST_NODE} or newer, this is ${version}.`,
    {
      hint: `'npm install --save-dev node@24' puts one beside rollbed: npm, pnpm and npx run your scripts on it. Or start 'npx rollbed up', which brings its own.`,
    },
  )
}
