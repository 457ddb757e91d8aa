import { dirname, join } from 'node:path'
import { CHEAT_TABLE } from '#devnet/l2/node/rpc/cheats/cheat-table'
import { METHOD_TABLE } from '#devnet/l2/node/rpc/method-table'
import { markdownTable } from './markdown-table.ts'
import {
  docBefore,
  ROOT,
  readSource,
  type SourceFile,
  type Syntax,
  sourcePaths,
} from './source-tree.ts'

const RPC = 'devnet/l2/node/rpc'

/** docs/rpc-methods.md: the methods of the node, each with the first sentence of its docstring. */
export async function methodPage(): Promise<string> {
  const methods = await rows(METHOD_TABLE, `${RPC}/method-table.ts`)
  const cheats = await rows(CHEAT_TABLE, `${RPC}/cheats/cheat-table.ts`)
  const columns = ['Method', 'What it does']
  return `# JSON-RPC methods of the L2 node

HTTP and WebSocket on one port. A sentence begins with the parameters by position; \`?\` marks those
that may be left out.

${markdownTable(columns, methods)}

## Subscriptions

Over WebSocket: \`eth_subscribe [kind, options?]\` answers an id, \`eth_unsubscribe [id]\` ends it.

${markdownTable(['Kind', 'What it sends'], subscriptions())}

## Cheats

Of a devnet; they edit the chain and its clock, and send for accounts without their key.

${markdownTable(columns, cheats)}
`
}

/** One row per implementation, with all its names. */
async function rows(table: Record<string, unknown>, tablePath: string): Promise<string[][]> {
  const sentences = await sentencesOf(tablePath)
  const names = Map.groupBy(Object.keys(table), (name) => table[name])
  return [...names].map(([method, group]) => [
    group.map((name) => `\`${name}\``).join(', '),
    sentences.get(method) ?? sentenceOf(method),
  ])
}

/** The first sentence of what a table imports, by the imported function. */
async function sentencesOf(tablePath: string): Promise<Map<unknown, string>> {
  const sentences = new Map<unknown, string>()
  for (const statement of bodyOf(readSource(tablePath))) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue
    const path = join(dirname(tablePath), (statement.source as { value: string }).value)
    const exported = (await import(join(ROOT, path))) as Record<string, unknown>
    const docs = exportDocs(readSource(path))
    for (const [name, sentence] of docs) {
      // Of two names for one method, the first import explains it.
      if (!sentences.has(exported[name])) sentences.set(exported[name], sentence)
    }
  }
  return sentences
}

/** First sentences by exported name. */
function exportDocs(file: SourceFile): [name: string, sentence: string][] {
  return bodyOf(file).flatMap((statement): [string, string][] => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const declaration = statement.declaration as Syntax | null
    const declared = (declaration?.declarations as Syntax[] | undefined)?.[0] ?? declaration
    const name = (declared?.id as { name?: string } | undefined)?.name
    const doc = docBefore(file, statement.start)
    return name && doc[0] ? [[name, firstSentence(doc[0])]] : []
  })
}

function firstSentence(text: string): string {
  return /^.*?[.](?= [A-Z(]|$)/.exec(text)?.[0] ?? text
}

/** A method without a file of its own either refuses with a sentence or does nothing. */
function sentenceOf(method: unknown): string {
  try {
    if (typeof method === 'function') method({}, [], {})
    return 'Accepted, and does nothing.'
  } catch (error) {
    return `Not supported. ${(error as { data?: string }).data ?? (error as Error).message}`
  }
}

function subscriptions(): string[][] {
  return sourcePaths(`${RPC}/subscriptions`).flatMap((path) => {
    const file = readSource(path)
    if (!file.text.includes(': SubscriptionKind =')) return []
    return exportDocs(file).map(([name, sentence]) => [`\`${name}\``, sentence])
  })
}

function bodyOf({ program }: SourceFile): Syntax[] {
  return program.body as Syntax[]
}
