import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { BWRAP, bubblewrapArguments } from './bubblewrap.ts'

/**
 * How far an enclave is kept from the machine, strongest first.
 * - `bwrap`: alone in network, process, mount, user, IPC and UTS namespaces, on read-only files, as
 *   nobody
 * - `netns`: in a network namespace of its own, without capabilities
 * - `seccomp`: on the machine's network, but unable to open a socket to it
 * - `none`: a plain child process
 *
 * All but `none` have a seccomp filter that leaves them UNIX sockets only.
 */
export type Isolation = 'bwrap' | 'netns' | 'seccomp' | 'none'

/** Whether a level gives what ENC-PROTO-02 asks for: no network interface. */
export function isIsolated(isolation: Isolation): boolean {
  return isolation === 'bwrap' || isolation === 'netns'
}

const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'].find((path) => existsSync(path))
/** Beside this file: TypeScript in a checkout, JavaScript in the package. */
const SOURCE = fileURLToPath(new URL('./exec-confined.ts', import.meta.url))
const LAUNCHER = import.meta.url.endsWith('.ts') ? SOURCE : SOURCE.replace(/ts$/, 'js')

/** The strongest isolation this machine allows; tried once per process, unless that fails. */
export function availableIsolation(): Promise<Isolation> {
  probing ??= probe().catch((error) => {
    probing = undefined
    throw error
  })
  return probing
}
let probing: Promise<Isolation> | undefined

async function probe(): Promise<Isolation> {
  if (process.platform !== 'linux') return 'none'
  if (await bubblewrapWorks()) return 'bwrap'
  return (await unshareFlags()) ? 'netns' : 'seccomp'
}

async function bubblewrapWorks(): Promise<boolean> {
  if (!BWRAP) return false
  const directory = makeRunFolder()
  const command = [process.execPath, '--version']
  const sandbox = { nodeBinary: process.execPath, imageDir: directory, command }
  try {
    return await succeeds(BWRAP, bubblewrapArguments(sandbox))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Root may make a namespace by itself; others, where allowed, inside a user namespace. */
function unshareFlags(): Promise<string[] | undefined> {
  probingUnshare ??= (async () => {
    for (const flags of [['-n'], ['-r', '-n']])
      if (UNSHARE && (await succeeds(UNSHARE, [...flags, 'true']))) return flags
    return undefined
  })()
  return probingUnshare
}
let probingUnshare: Promise<string[] | undefined> | undefined

function succeeds(file: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => execFile(file, args, (error) => resolve(!error)))
}

/** Short-lived objects of a proof fill whatever they are given. */
const NODE_FLAGS = ['--max-semi-space-size=16']

/**
 * The command line that starts a program of an image isolated. Under `bwrap` the filter is expected
 * on descriptor 3 and the process id told on 4; the other levels exec, so the process id stays.
 * @throws IsolationUnavailable when the machine does not allow this level
 */
export async function isolatedCommand(
  isolation: Isolation,
  options: { nodeBinary: string; imageDir: string; program: string },
): Promise<[string, ...string[]]> {
  const command = enclaveCommand(options)
  switch (isolation) {
    case 'bwrap': {
      if (!BWRAP) throw new IsolationUnavailable(isolation)
      const sandbox = bubblewrapArguments({ ...options, command: [...command] })
      return [BWRAP, '--seccomp', '3', '--info-fd', '4', ...sandbox]
    }
    case 'none':
      return [...command]
    default:
      return [...(await launcherCommand(isolation))!, ...command]
  }
}

/** The program of an image as isolated processes run it. */
export function enclaveCommand({ nodeBinary, program }: { nodeBinary: string; program: string }) {
  return [nodeBinary, ...NODE_FLAGS, program] as const
}

/**
 * What isolates itself and then becomes the command behind it, or, without one, the command that it reads
 * (exec-confined.ts). Undefined where a program is isolated from its first instruction on, or not at all.
 * @throws IsolationUnavailable when the machine does not allow this level
 */
export async function launcherCommand(
  isolation: Isolation,
): Promise<[string, ...string[]] | undefined> {
  if (isolation === 'seccomp') return [process.execPath, LAUNCHER]
  if (isolation !== 'netns') return undefined
  const flags = await unshareFlags()
  if (!UNSHARE || !flags) throw new IsolationUnavailable(isolation)
  return [UNSHARE, ...flags, process.execPath, LAUNCHER]
}

export class IsolationUnavailable extends RollbedError {
  constructor(isolation: Isolation) {
    super(
      'ISOLATION_UNAVAILABLE',
      `Enclaves cannot be kept from the network here: ${isolation} is not isolation, or not possible.`,
      {
        hint: 'Install bubblewrap, or run as root or where user namespaces are allowed; --insecure-no-netns goes on without.',
      },
    )
  }
}
