import { type CataloguedError, errorCatalogue } from './error-catalogue.ts'
import { markdownTable } from './markdown-table.ts'

/** docs/errors.md: every code that our sources can throw. */
export function errorPage(): string {
  const errors = errorCatalogue()
  const numbers = errors.filter(({ code }) => /^-?\d+$/.test(code))
  const codes = errors.filter((error) => !numbers.includes(error))
  return `# Errors

Codes never change; messages may. \`‹name›\` stands for a value.

## Codes

What \`rollbed\` prints before the first colon, and \`error.code\` in programs.

${markdownTable(['Code', 'Message', 'What to do', 'Source'], codes.map(row))}

## JSON-RPC error numbers

\`error.code\` of an answer, of the node and of the prover host.

${markdownTable(
  ['Number', 'Message', 'Source'],
  numbers.map(row).map(([code, message, , source]) => [code!, message!, source!]),
)}
`
}

function row({ code, messages, hints, paths }: CataloguedError): string[] {
  return [
    `\`${code}\``,
    [...messages].filter(isTelling).map(asText).join('\n'),
    [...hints].filter(isTelling).map(asText).join('\n'),
    [...paths].map((path) => `\`${path}\``).join('\n'),
  ]
}

/** A message that its caller makes says nothing here. */
function isTelling(text: string): boolean {
  return !/^‹[^›]*›$/.test(text) && text !== ''
}

function asText(text: string): string {
  return text.replaceAll('<', '&lt;').trim()
}
