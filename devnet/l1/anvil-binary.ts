import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { isGenuine } from './is-genuine.ts'

const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/**
 * SHA-512 of the binary in the package of a platform, for the version that package.json names. The
 * lock file vouches for what npm fetched; this also for what lies there at the time of use. The
 * other packages could not be had where the lock file was made (SECURITY.md).
 */
export const ANVIL_SUMS: Readonly<Record<string, string>> = {
  'linux-x64':
    '943b59655c16dc179b01136c7b9a06594a6e3dedbe04cbdd237c9eda2a9308b956ce4a62601ea6e6212ccef8a2270751cdd25ea7cf63fe9c90b8d8861c4d4c82',
}

/**
 * Path of the anvil binary that npm installed. The binary itself, not the package's launcher: the
 * launcher would be a second process between us and anvil.
 * @throws ANVIL_MISSING when there is none for this machine, ANVIL_NOT_GENUINE when it is another
 */
export function anvilBinary(): string {
  const sum = ANVIL_SUMS[`${process.platform}-${process.arch}`]
  const platform = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`
  let binary: string
  try {
    // The platform package is a dependency of the launcher, so it is looked up from there.
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
    binary = createRequire(launcher).resolve(`${platform}/bin/anvil`)
  } catch (cause) {
    throw anvilMissing(platform, cause)
  }
  if (!existsSync(binary)) throw anvilMissing(platform)
  if (sum && !isGenuine(binary, sum)) throw anvilNotGenuine(binary)
  return binary
}

function anvilNotGenuine(binary: string): RollbedError {
  return new RollbedError(
    'ANVIL_NOT_GENUINE',
    `${binary} is not the anvil that rollbed was made with: its SHA-512 is another.`,
    { hint: "Remove node_modules and install again, in a checkout by 'npm ci'." },
  )
}

export function anvilMissing(what: string, cause?: unknown): RollbedError {
  return new RollbedError('ANVIL_MISSING', `The anvil binary (${what}) is not installed.`, {
    hint: 'It comes as an optional package, for Linux and macOS on x64 or arm64: install without `--omit=optional` (npm) or `--no-optional` (pnpm). Install scripts are not needed.',
    cause,
  })
}
