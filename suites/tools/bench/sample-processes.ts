import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds at one moment. */
export interface ProcessSample {
  pid: number
  /** Its program, and which one of several. */
  name: string
  /** Resident memory, MB. */
  memory: number
  /** The same, where a page that several processes share counts by its share in each. */
  proportional: number
  /** Open files, sockets and the like. */
  handles: number
}

/** A process and everything that it started, from /proc. One that ends meanwhile is left out. */
export function sampleProcesses(root: number): ProcessSample[] {
  const parents = new Map(readdirSync('/proc').filter(isNumber).flatMap(parentOf))
  const pids = [root]
  for (const pid of pids) {
    for (const [child, parent] of parents) if (parent === pid) pids.push(child)
  }
  const seen = new Map<string, number>()
  return pids.flatMap((pid) => {
    try {
      const program = pid === root ? 'rollbed up' : programOf(pid)
      const nth = (seen.get(program) ?? 0) + 1
      seen.set(program, nth)
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const memory = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
      const pages = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      const proportional = Number(/^Pss:\s+(\d+)/m.exec(pages)?.[1] ?? 0) / 1024
      const handles = readdirSync(`/proc/${pid}/fd`).length
      const name = nth > 1 ? `${program} ${nth}` : program
      return [{ pid, name, memory, proportional, handles }]
    } catch {
      return []
    }
  })
}

const isNumber = (name: string) => /^\d+$/.test(name)

function parentOf(pid: string): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]]
  } catch {
    return []
  }
}

/** The last word of the command line that names a program or a script. */
function programOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const script = words.find((word) => /\.(ts|js|mjs)$/.test(word)) ?? words[0]!
  return script.slice(script.lastIndexOf('/') + 1)
}
