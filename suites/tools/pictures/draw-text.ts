/** Characters of a line, and pixels of a character and of a line. */
const WIDTH = 108
const CHARACTER = 7.2
const LINE = 18
const MARGIN = 16
const HEADING = /^#+ /

/**
 * Markdown as a picture of a terminal: long lines are broken, headings and what is between stars are bold.
 *
 * @param title for who does not see it
 * @returns SVG, in the colours of the reader's scheme
 */
export function drawText(markdown: string, title: string): string {
  const lines = markdown.split('\n').flatMap(broken)
  const [width, height] = [WIDTH * CHARACTER + 2 * MARGIN, lines.length * LINE + 2 * MARGIN]
  const rows = lines.map((line, at) => {
    const y = MARGIN + at * LINE + 13
    const bold = HEADING.test(line) ? ' font-weight="bold"' : ''
    return `<text x="${MARGIN}" y="${y}"${bold} xml:space="preserve">${styled(line)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    '<style>rect{fill:#fff}text{fill:#1b1f24}@media(prefers-color-scheme:dark){rect{fill:#0d1117}text{fill:#e6edf3}}</style>',
    `<rect width="${width}" height="${height}" rx="6"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}

/** At spaces; what follows is indented as a list's second line is. */
function broken(line: string): string[] {
  if (line.length <= WIDTH) return [line]
  const at = line.lastIndexOf(' ', WIDTH)
  if (at <= 2) return [line]
  return [line.slice(0, at), ...broken(`  ${line.slice(at + 1)}`)]
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function styled(line: string): string {
  return escaped(line).replaceAll(/\*\*([^*]+)\*\*/g, '<tspan font-weight="bold">$1</tspan>')
}
