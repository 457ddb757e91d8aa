import { cpSync, globSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const pages = (title: string, names: Record<string, string>) => ({
  text: title,
  items: Object.entries(names).map(([name, text]) => ({ text, link: `/${name}` })),
})

const groups = [
  pages('Start', {
    'quick-start': 'In sixty seconds',
    explorer: 'The explorer',
    access: 'Who may call',
    agents: 'For agents',
  }),
  pages('Dapps', {
    testing: 'Tests: vitest, Playwright',
    viem: 'rollbed/viem',
    branches: 'Branches',
    state: 'State',
    'todays-base': "Today's Base",
    profiles: 'Profiles',
    preinstalls: 'Contracts on L2',
    anvil: 'anvil and the spec',
  }),
  pages('Proposers and challengers', {
    'own-actors': 'Wiring your own',
    scenarios: 'Situations',
    faults: 'Faults',
    'game-life': "A game's life",
    'played-crossing': 'A crossing, played',
    contracts: 'Contracts on L1',
    'foreign-nodes': 'Other nodes',
    'vm-enclaves': 'Enclaves in virtual machines',
  }),
  pages('Reference', {
    'judging-callers': 'Judging callers',
    journal: 'rollbed/journal',
    commands: 'Commands',
    'rpc-methods': 'RPC methods',
    rules: 'Rules',
    mutants: 'What the gate notices',
    'real-nodes': 'Bugs that real nodes had',
    errors: 'Errors',
    decisions: 'Decisions',
    glossary: 'Words',
  }),
]

const named = groups.flatMap(({ items }) => items.map(({ link }) => link.slice(1)))
/** A page that nobody put in its place is found all the same. */
const others = readdirSync(join(import.meta.dirname, '..'))
  .filter((file) => file.endsWith('.md') && file !== 'index.md')
  .map((file) => basename(file, '.md'))
  .filter((name) => !named.includes(name))
  .map((name): [string, string] => [name, name.replaceAll('-', ' ')])

/** What typedoc has written of each entry of the package (`npm run docs:site`). */
const api = globSync('api/**/*.md', { cwd: join(import.meta.dirname, '..') })
  .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
  .filter((name) => name !== 'api/index')
  .sort()
  .map((name): [string, string] => [name, name.replace('api/', '')])

/** What pages lead to that is no page: programs to copy from, a manifest. */
const FILES = '{own-*.ts,farm/*}'

/** The pages of this folder as a site; each reads as well without it. */
export default {
  title: 'rollbed',
  description:
    'A Base-like rollup on your machine, and a conformance gate for its nodes and provers',
  cleanUrls: true,
  // Links out of this folder lead into the sources.
  ignoreDeadLinks: [/\.\.\//, /^(https?:\/\/)?(localhost|127\.0\.0\.1)/],
  // Its compiler is older than the target of our tsconfig.json.
  vite: { esbuild: { tsconfigRaw: '{}' } },
  buildEnd({ outDir }: { outDir: string }) {
    const folder = join(import.meta.dirname, '..')
    for (const file of globSync(FILES, { cwd: folder }))
      cpSync(join(folder, file), join(outDir, file))
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...groups,
      pages('API', Object.fromEntries(api)),
      pages('More', Object.fromEntries(others)),
    ],
  },
}
