import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seccompFilter } from './seccomp-filter.ts'

/** The seccomp filter as an open file that has no name any more, for a child to read. */
export async function openSeccompFilter() {
  const directory = await mkdtemp(join(tmpdir(), 'rollbed-'))
  try {
    const path = join(directory, 'filter')
    await writeFile(path, seccompFilter())
    return await open(path)
  } finally {
    await rm(directory, { recursive: true })
  }
}
