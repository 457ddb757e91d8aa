import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { seccompFilter } from './seccomp-filter.ts'

/** The seccomp filter as an open file that has no name any more, for a child to read. */
export async function openSeccompFilter() {
  const directory = makeRunFolder()
  try {
    const path = join(directory, 'filter')
    await writeFile(path, seccompFilter())
    return await open(path)
  } finally {
    await rm(directory, { recursive: true })
  }
}
