import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf } from '#devnet/cli/exit-code'
import { ERROR_AREAS, type ErrorCode } from '#protocol/errors/error-table'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { ErrorRow } from '#protocol/errors/table/error-row'
import { CATALOGUED_FOLDERS, type CataloguedError, errorCatalogue } from './error-catalogue.ts'
import { markdownTable } from './markdown-table.ts'
import { ROOT } from './source-tree.ts'

/** What says a code in words: before any of our code runs, and where a request is not read. */
const DOORS = ['devnet/cli/rollbed.sh', 'devnet/base/json-rpc/guard-access.ts']
const SAID = /["`]([A-Z]+_[A-Z_]+): ([^"`]+)["`]/g

/**
 * docs/errors.md: the table of errors, with what the sources say of each code.
 * @throws where nothing that a user runs throws a code of the table
 */
export function errorPage(errors: readonly CataloguedError[] = errorCatalogue()): string {
  const thrown = new Map(errors.map((error) => [error.code, error]))
  const numbers = errors.filter(({ code }) => /^-?\d+$/.test(code))
  const contents = ERROR_AREAS.map(
    ({ title, first }) => `- RB${first} to RB${first + 99}: [${title}](#${slug(title)})`,
  )
  const sections = ERROR_AREAS.map(({ title, rows }) => {
    const entries = Object.entries<ErrorRow>(rows).map(([code, row]) =>
      entry(code as ErrorCode, row, thrown.get(code)),
    )
    return `## ${title}\n\n${entries.join('\n')}`
  })
  return `# Errors

A code is what \`rollbed\` prints before the first colon, and \`error.code\` in programs. Codes and their numbers never change; messages may. \`‹name›\` stands for a value.

${contents.join('\n')}
- [Said at the door](#said-at-the-door)
- [JSON-RPC error numbers](#json-rpc-error-numbers)

${sections.join('\n')}
## Said at the door

By the command before it has a Node to run on (exit code 3), and by a server that does not read a request (HTTP 400, 403, 415). The message says what to do.

${markdownTable(['Code', 'Says', 'Source'], DOORS.flatMap(saidAt))}

## JSON-RPC error numbers

\`error.code\` of an answer, of the node and of the prover host.

${markdownTable(
  ['Number', 'Message', 'Source'],
  numbers.map(({ code, messages, paths }) => [
    `\`${code}\``,
    telling(messages).join('\n'),
    sources(paths).join('\n'),
  ]),
)}
`
}

/** Rows of what a file says in words. */
function saidAt(path: string): string[][] {
  return [...readFileSync(join(ROOT, path), 'utf8').matchAll(SAID)].map(([, code, message]) => [
    `\`${code}\``,
    message!.replaceAll(/\$\{?(?:printable\()?([a-z]+)[^}\s]*\}?/g, '‹$1›'),
    `\`${path}\``,
  ])
}

function entry(
  code: ErrorCode,
  { number, title, action }: ErrorRow,
  thrown: CataloguedError | undefined,
) {
  if (!thrown) {
    throw new Error(
      `${code} is in the table of errors, but nothing in ${CATALOGUED_FOLDERS.join(', ')} throws it: the page is of what a user can meet. What only tests throw needs no code.`,
    )
  }
  const messages = telling(thrown.messages)
  const actions = [...(action ? [action] : []), ...telling(thrown.hints)]
  const lines = [
    ...(messages.length > 0 ? [`- Says: ${messages.join(' · ')}`] : []),
    `- What to do: ${actions.join(' · ')}`,
    `- Exit code of a command: ${exitCodeOf(new RollbedError(code, title))}`,
    `- Source: ${sources(thrown.paths).join(', ')}`,
  ]
  return `### ${code}\n\n**RB${number}. ${title}.**\n\n${lines.join('\n')}\n`
}

/** A message that its caller makes says nothing here. */
function telling(texts: Set<string>): string[] {
  return [...texts]
    .filter((text) => !/^‹[^›]*›$/.test(text) && text !== '')
    .map((text) =>
      text
        .replaceAll('<', '&lt;')
        .replace(/\s*\n\s*/g, ' ')
        .trim(),
    )
}

const sources = (paths: Set<string>) => [...paths].map((path) => `\`${path}\``)

/** The anchor of a heading, as GitHub and the site make it. */
const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
