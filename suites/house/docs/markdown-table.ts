/** A Markdown table; pipes and line breaks inside cells are escaped. */
export function markdownTable(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '-').join('|')}|`, ...rows.map(line)].join('\n')
}
