/** A piece of code that a page or a docstring shows. */
export interface Example {
  /** Where it stands: a path, and which one there. */
  name: string
  code: string
}

/** What the docstrings of a source file show under `@example`, where it imports what it uses. */
export function docstringExamples(path: string, text: string): Example[] {
  const found: Example[] = []
  for (const [, docstring] of text.matchAll(/\/\*\*(.*?)\*\//gs)) {
    const plain = docstring!.replaceAll(/^[ \t]*\* ?/gm, '')
    for (const [, code] of plain.matchAll(/^@example\n(.*?)(?=^@|(?![\s\S]))/gms)) {
      found.push({ name: `${path} ${found.length + 1}`, code: code! })
    }
  }
  return found.filter(isWhole)
}

/** The blocks of TypeScript on a page, where they import what they use. */
export function pageExamples(path: string, markdown: string): Example[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, code], index) => ({ name: `${path} ${index + 1}`, code: code! }))
    .filter(isWhole)
}

const isWhole = ({ code }: Example) => /^import .* from 'rollbed(\/\w+)?'$/m.test(code)
