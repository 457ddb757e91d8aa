import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

export interface CastOutcome {
  exitCode: number
  stdout: string
  stderr: string
}

/** The binary that npm installed, as devnet/l1/anvil-binary.ts finds anvil. */
function castBinary(): string {
  const platform = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/cast/bin.mjs')
  return createRequire(launcher).resolve(`@foundry-rs/cast-${platform}/bin/cast`)
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
      execFile(castBinary(), args, { env, timeout: 120_000 }, (error, stdout, stderr) => {
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
