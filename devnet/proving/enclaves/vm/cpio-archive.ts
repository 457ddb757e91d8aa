/** What an archive holds. Names are relative, without a leading slash; all belong to root. */
export type CpioEntry =
  | { kind: 'directory'; name: string }
  | { kind: 'file'; name: string; executable?: boolean; read(): Uint8Array }
  | { kind: 'device'; name: string; major: number; minor: number }

const FILE = 0o100000
const DIRECTORY = 0o040000
const CHARACTER_DEVICE = 0o020000

/**
 * A cpio archive in the `newc` format, which the kernel unpacks as its initramfs; in pieces, so that
 * one file at a time is in memory. Folders above an entry are added. The same entries give the same
 * bytes: no time and no owner is recorded.
 * Source: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.
 */
export function* cpioArchive(entries: Iterable<CpioEntry>): Generator<Uint8Array> {
  let inode = 0
  for (const entry of withFolders(entries)) {
    const content = entry.kind === 'file' ? entry.read() : new Uint8Array()
    yield header({ ...headerFields(entry), inode: ++inode, size: content.length })
    yield content
    yield padding(content.length)
  }
  yield header({ name: 'TRAILER!!!', inode: 0, mode: 0, size: 0 })
}

function* withFolders(entries: Iterable<CpioEntry>): Generator<CpioEntry> {
  const made = new Set<string>()
  for (const entry of entries) {
    const parts = entry.name.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const name = parts.slice(0, depth).join('/')
      if (!made.has(name)) yield { kind: 'directory', name }
      made.add(name)
    }
    if (!made.has(entry.name)) yield entry
    made.add(entry.name)
  }
}

interface HeaderFields {
  name: string
  inode: number
  mode: number
  size: number
  major?: number
  minor?: number
}

function headerFields(entry: CpioEntry): Pick<HeaderFields, 'name' | 'mode' | 'major' | 'minor'> {
  const { name } = entry
  switch (entry.kind) {
    case 'directory':
      return { name, mode: DIRECTORY | 0o755 }
    case 'file':
      return { name, mode: FILE | (entry.executable ? 0o755 : 0o644) }
    case 'device':
      return { name, mode: CHARACTER_DEVICE | 0o600, major: entry.major, minor: entry.minor }
  }
}

/** Magic and thirteen numbers of eight hex digits, then the name with its final zero. */
function header({ name, inode, mode, size, major = 0, minor = 0 }: HeaderFields): Uint8Array {
  const [user, group, links, time, onMajor, onMinor, checksum] = [0, 0, 1, 0, 0, 0, 0]
  const nameSize = Buffer.byteLength(name) + 1
  const numbers = [
    ...[inode, mode, user, group, links, time, size],
    ...[onMajor, onMinor, major, minor, nameSize, checksum],
  ]
  const digits = numbers.map((number) => number.toString(16).padStart(8, '0')).join('')
  const bytes = Buffer.from(`070701${digits}${name}\0`)
  return Buffer.concat([bytes, padding(bytes.length)])
}

/** Headers and contents begin at multiples of four. */
function padding(length: number): Uint8Array {
  return new Uint8Array(-length & 3)
}
