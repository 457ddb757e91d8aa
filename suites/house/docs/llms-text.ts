import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from './source-tree.ts'

const FOLDER = 'devnet/docs'

/** devnet/docs/public/llms.txt: the pages for whoever reads them by program (llmstxt.org). */
export function llmsText(): string {
  const pages = globSync('*.md', { cwd: join(ROOT, FOLDER) })
    .filter((file) => file !== 'index.md')
    .sort()
  const lines = pages.map((file) => {
    const { title, sentence } = headOf(readFileSync(join(ROOT, FOLDER, file), 'utf8'))
    return `- [${title}](/${basename(file, '.md')})${sentence && `: ${sentence}`}`
  })
  return `# rollbed

> A complete Base-like rollup on your machine in about a second, and a conformance gate for its nodes and provers.

How to use it, with the traps: [SKILL.md](/skill/SKILL). Every command with its flags, exit codes and side effects: \`rollbed commands --json\`. Tools by the Model Context Protocol: \`rollbed mcp\`.

## Pages

${lines.join('\n')}
`
}

/** A page's title, and the first sentence under it, where it begins with one. */
function headOf(markdown: string): { title: string; sentence: string } {
  const [, title = '', rest = ''] = /^# (.+)\n+((?:.|\n)*)/m.exec(markdown) ?? []
  const [paragraph = ''] = rest.split('\n\n')
  const isText = /^(?!```)[A-Z`[0-9]/.test(paragraph)
  const text = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  const [sentence = text] = /^.*?[.:](?= |$)/.exec(text) ?? []
  return { title, sentence: isText ? sentence.replace(/:$/, '.') : '' }
}
