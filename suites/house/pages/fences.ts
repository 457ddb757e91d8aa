import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '../docs/source-tree.ts'

const PAGES = ['*.md', 'devnet/docs/*.md', 'reports/*.md']

/** A block of code on a page. */
export interface Fence {
  /** The page's name and the place on it: `state-1`. */
  name: string
  /** What stands behind the three strokes, such as `ts`; empty for plain text. */
  language: string
  text: string
}

/** Every block of code of every page that a reader may be given, in order. */
export function allFences(): Fence[] {
  return globSync(PAGES, { cwd: ROOT }).flatMap((page) => {
    const markdown = readFileSync(join(ROOT, page), 'utf8')
    return [...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(
      ([, language, text], index): Fence => ({
        name: `${basename(page, '.md')}-${index + 1}`,
        language: language!,
        text: text!,
      }),
    )
  })
}

/** The commands of a block, each as it is printed: all lines, or in a `console` those behind a prompt. */
export function commandsOf({ language, text }: Fence): string[] {
  const whole = text.replaceAll('\\\n', '')
  const lines = whole.split('\n').filter((line) => line.trim() !== '')
  if (language !== 'console') return lines
  return lines.filter((line) => /^[$#] /.test(line)).map((line) => line.slice(2))
}
