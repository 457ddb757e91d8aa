import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'

const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Path of the anvil binary that npm installed. The binary itself, not the package's launcher: the
 * launcher would be a second process between us and anvil.
 * @throws ANVIL_MISSING when there is none for this machine.
 */
export function anvilBinary(): string {
  const platform = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`
  try {
    // The platform package is a dependency of the launcher, so it is looked up from there.
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
    const binary = createRequire(launcher).resolve(`${platform}/bin/anvil`)
    if (existsSync(binary)) return binary
  } catch (cause) {
    throw anvilMissing(platform, cause)
  }
  throw anvilMissing(platform)
}

export function anvilMissing(what: string, cause?: unknown): RollbedError {
  return new RollbedError('ANVIL_MISSING', `The anvil binary (${what}) is not installed.`, {
    hint: 'It comes as an optional package, for Linux and macOS on x64 or arm64: install without `--omit=optional` (npm) or `--no-optional` (pnpm). Install scripts are not needed.',
    cause,
  })
}
