import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'rollbed-'
const OWNER = 'owner.json'

/** Who made a folder, so that a later start can tell whether it is still needed. */
interface Owner {
  pid: number
  /** When that process was started, in the kernel's count: ids are used again. */
  started: string
  /** Process ids mean something in their own namespace only. */
  namespace: string
  /** Files elsewhere, with what was written there. */
  files: { path: string; text: string }[]
}

/** A temporary folder of this process, in the system's or another. Swept by a later start if we are killed. */
export function makeRunFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, PREFIX))
  writeOwner(folder, { ...ourselves(), files: [] })
  return folder
}

/** Has a file elsewhere swept with the folder, unless somebody but us has changed it. */
export function sweepWith(folder: string, path: string, text: string): void {
  const owner = readOwner(folder)
  if (!owner) return
  const others = owner.files.filter((file) => file.path !== path)
  writeOwner(folder, { ...owner, files: [...others, { path, text }] })
}

/** Removes what processes of ours that were killed have left. */
export function sweepRunFolders(parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(parent, name)
    try {
      const owner = isOurs(folder) ? readOwner(folder) : undefined
      if (!owner || isAlive(owner)) continue
      for (const file of owner.files) sweepFile(file)
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Somebody else sweeps too, or may do what we may not.
    }
  }
}

function sweepFile({ path, text }: { path: string; text: string }): void {
  try {
    if (isOurs(path) && readFileSync(path, 'utf8') === text) rmSync(path)
  } catch {
    // Gone already.
  }
}

function isOurs(path: string): boolean {
  return statSync(path).uid === process.geteuid?.()
}

function writeOwner(folder: string, owner: Owner): void {
  writeFileSync(join(folder, OWNER), JSON.stringify(owner), { mode: 0o600 })
}

/** undefined: not a folder that can be judged. */
function readOwner(folder: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, OWNER), 'utf8'))
  } catch {
    return undefined
  }
}

function ourselves(): Omit<Owner, 'files'> {
  const { started } = stateOf(process.pid)
  return { pid: process.pid, started, namespace: namespace() }
}

/** In doubt yes. */
function isAlive({ pid, started, namespace: theirs }: Owner): boolean {
  if (theirs !== namespace()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
  const now = stateOf(pid)
  // A zombie takes signals, and is gone but for its parent, who has not looked yet.
  return !now.isZombie && now.started === started
}

/** What /proc/PID/stat says, see proc(5): `started` is empty where there is none. */
function stateOf(pid: number): { isZombie: boolean; started: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const behindCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { isZombie: behindCommand[0] === 'Z', started: behindCommand[19] ?? '' }
  } catch {
    return { isZombie: false, started: '' }
  }
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
