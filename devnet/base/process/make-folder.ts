import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder for its owner alone, and those above it that are missing. Not `recursive` of
 * `mkdirSync`: that tries for ever where the system says "no such file" to every new folder, as /proc
 * does.
 *
 * @throws the error of mkdir(2)
 */
export function makeFolder(path: string): void {
  try {
    make(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    make(path)
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
