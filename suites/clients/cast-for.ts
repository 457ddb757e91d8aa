import { execFile } from 'node:child_process'
import { lane } from '#suites/lane'

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

export interface CastOutcome {
  exitCode: number
  stdout: string
  stderr: string
}

/** @param tool one of Foundry's; npm has a package of each for this machine */
export function foundryBinary(tool: 'cast' | 'forge'): string {
  const platform = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  return lane('clients').file(`@foundry-rs/${tool}-${platform}/bin/${tool}`)
}

/** Foundry's cast against one node, with nothing configured but the URL. */
export function castFor(rpcUrl: string) {
  const run = (...args: string[]): Promise<CastOutcome> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        ETH_RPC_URL: rpcUrl,
        NO_COLOR: '1',
        FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
      }
      execFile(foundryBinary('cast'), args, { env, timeout: 120_000 }, (error, stdout, stderr) => {
        const exitCode = error ? Number(error.code ?? 1) : 0
        resolve({ exitCode, stdout: stdout.trim(), stderr: stderr.trim() })
      })
    })
  return {
    run,
    /** What cast prints. @throws when it fails */
    async print(...args: string[]): Promise<string> {
      const { exitCode, stdout, stderr } = await run(...args)
      if (exitCode !== 0) throw new Error(`cast ${args[0]} failed: ${stderr}`)
      return stdout
    },
    /** What cast prints with --json. */
    async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
      return JSON.parse(await this.print(...args, '--json')) as T
    },
  }
}
