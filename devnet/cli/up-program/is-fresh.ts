import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const CHECKOUT = join(import.meta.dirname, '..', '..', '..')
const PROGRAM = 'start-up.mjs'
/** The published package has it here. */
const PACKED = join(import.meta.dirname, PROGRAM)
/** Where a checkout has it, from `npm ci` on. */
export const KEPT_IN = join('node_modules', '.cache', 'rollbed', 'up')
/** Beside it: what it was made of. */
export const MADE_OF = 'made-of.json'

export interface MadeOf {
  /** Of the checkout: another one may share its packages. */
  root: string
  /** Paths in the checkout, with what tells of a change. */
  files: Record<string, string>
}

/**
 * Whether there is a bundle of `rollbed up`, `host` and `actors` and nothing that it was made of has changed since: whoever
 * works on the sources runs them.
 */
export function isFresh(checkout: string = CHECKOUT): boolean {
  if (existsSync(PACKED)) return true
  try {
    const madeOf = readFileSync(join(checkout, KEPT_IN, MADE_OF), 'utf8')
    const { root, files }: MadeOf = JSON.parse(madeOf)
    return (
      root === checkout &&
      Object.entries(files).every(([file, state]) => stateOf(join(checkout, file)) === state)
    )
  } catch {
    return false
  }
}

/**
 * The program of the bundle, for who starts one of its commands by Node itself; undefined where the sources have to
 * run.
 */
export function bundledProgram(checkout: string = CHECKOUT): string | undefined {
  if (existsSync(PACKED)) return PACKED
  return isFresh(checkout) ? join(checkout, KEPT_IN, PROGRAM) : undefined
}

/** Differs once the file was written again. */
export function stateOf(path: string): string {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}
