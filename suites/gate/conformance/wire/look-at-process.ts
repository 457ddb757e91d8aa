import { readdir, readFile, readlink } from 'node:fs/promises'

/** Tables of a network namespace whose tenth column is the inode of a socket (proc(5)). */
const IP_TABLES = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'] as const
const INODE = 9

/** IP sockets that a process holds open, each as its table and local address. */
export async function ipSocketsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const descriptors = await readdir(folder)
  const links = descriptors.map((name) => readlink(`${folder}/${name}`).catch(() => ''))
  const held = new Set(
    (await Promise.all(links)).map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]),
  )
  // A descriptor may come from another namespace than the process is in: from ours.
  const places = ['self', pid].flatMap((of) => IP_TABLES.map((table) => [of, table] as const))
  const found = places.map(async ([of, table]) => {
    const text = await readFile(`/proc/${of}/net/${table}`, 'utf8').catch(() => '')
    const rows = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
    return rows.filter((row) => held.has(row[INODE])).map((row) => `${table} ${row[1]}`)
  })
  return (await Promise.all(found)).flat()
}

/** Network interfaces that a process has, besides the loopback. */
export async function interfacesOf(pid: number): Promise<string[]> {
  const table = await readFile(`/proc/${pid}/net/dev`, 'utf8')
  // Two lines of heading, then a line for each.
  const names = table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split(':')[0]!.trim())
  return names.filter((name) => name !== 'lo')
}
