import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Command, type Option } from 'commander'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { catalogueVersion } from '#fixtures/rules/case-versions'
import { addConformCommand } from './conform.ts'
import { run } from './run.ts'

test('given a gate whose cases are all about other URLs, then it exits 2: a run of nothing is not green', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const args = ['--rpc', `http://127.0.0.1:${port}`, '--only', 'host.*']
    expect(await run(['conform', ...args])).toBe(2)
    expect(said.mock.calls.flat().join('\n')).toContain('No case of --only host.* is about')
  } finally {
    said.mockRestore()
    server.closeAllConnections()
    server.close()
  }
})

test('given a file as --out, then it exits 3 before it judges: the reports of a run are not lost at its end', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const methods: (string | undefined)[] = []
  const server = createServer(({ method }, response) => {
    methods.push(method)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const place = ['--out', fileURLToPath(import.meta.url)]
  const args = ['--rpc', `http://127.0.0.1:${port}`, '--only', 'rpc.envelope.id-echo.01']
  try {
    expect(await run(['conform', ...args, ...place])).toBe(3)
    expect(said.mock.calls.flat().join('\n')).toMatch(/^MACHINE_LIMIT: .*EEXIST/)
    expect(methods).not.toContain('POST')
  } finally {
    said.mockRestore()
    server.closeAllConnections()
    server.close()
  }
})

test.each([
  [['--claim', 'challenger'], 'CLAIM_NOT_JUDGED', 'claim challenger cannot', '--challenger'],
  [['--claim', 'reads,streams', '--rpc', 'http://127.0.0.1:1'], 'CLAIM_NOT_JUDGED', '', '--ws'],
  [['--claim', 'today', '--rpc', 'http://127.0.0.1:1'], 'CLAIM_NOT_JUDGED', '', '--profile today'],
  [['--rules', '7'], 'NO_SUCH_VERSION', 'no version 7', `versions are 1 to ${catalogueVersion()}`],
  [['--rules', '0'], 'NO_SUCH_VERSION', 'no version 0', `versions are 1 to ${catalogueVersion()}`],
  [['--rules', '-1'], 'NO_SUCH_VERSION', 'no version -1', 'versions are 1 to'],
  [['--rules', '1.5'], 'NO_SUCH_VERSION', 'no version 1.5', 'versions are 1 to'],
  [['--l1', 'http://127.0.0.1:1', '--only', 'client'], 'USAGE', 'No case of --only client is', ''],
  [
    ['--rpc', 'http://127.0.0.1:1', '--only', 'rpc.block.known-tip.01', '--rules', '1'],
    ...['USAGE', 'is about the URLs given and in version 1 of the catalogue', '--rpc'],
  ],
  [['--l1-beacon', 'http://127.0.0.1:1'], 'USAGE', 'No case is about the URLs given', '--rpc'],
] as const)(
  'given %j, then it is refused as %s with exit code 2 before anything is asked',
  async (args, code, sentence, hint) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      expect(await run(['conform', ...args])).toBe(2)
      const text = said.mock.calls.flat().join('\n')
      expect(text).toMatch(new RegExp(`^${code}: `))
      expect(text).toContain(sentence)
      expect(text).toContain(hint)
    } finally {
      said.mockRestore()
    }
  },
)

test('given a node that nobody drives, when every rule is required, then what was not judged is exit code 1', async () => {
  const said = [vi.spyOn(console, 'error'), vi.spyOn(console, 'log')]
  for (const each of said) each.mockImplementation(() => {})
  const tip = { number: '0x5', hash: `0x${'05'.repeat(32)}` }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { id, method } = body ? JSON.parse(body) : { id: null, method: '' }
      const result = method === 'web3_clientVersion' ? 'sample/1' : tip
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const only = 'rpc.envelope.id-echo.01'
  const args = ['conform', '--rpc', `http://127.0.0.1:${port}`, '--only', only]
  try {
    expect(await run(args)).toBe(0)
    expect(await run([...args, '--require-all'])).toBe(1)
  } finally {
    for (const each of said) each.mockRestore()
    server.closeAllConnections()
    server.close()
  }
})

function optionsOfConform() {
  const program = new Command()
  addConformCommand(program, () => {})
  return program.commands[0]!.options
}

function actionInputs(): Record<string, { description: string }> {
  const file = new URL('../../.github/actions/conform/action.yml', import.meta.url)
  return parse(readFileSync(file, 'utf8')).inputs
}

/** The words of a flag that takes no others, as it refuses them. */
function wordsOf({ parseArg, long }: Option): [flag: string, words: string[]][] {
  try {
    parseArg?.('?', undefined)
  } catch (error) {
    const [, words] = /must be one of (.*), not/.exec((error as Error).message) ?? []
    if (words) return [[long!.slice(2), words.split(', ')]]
  }
  return []
}

test('given a flag of a few words, then the action names each of them, and the page each profile and claim', () => {
  const flags = optionsOfConform().flatMap(wordsOf)
  expect(flags.map(([flag]) => flag)).toEqual(['profile', 'claim', 'format', 'effort'])
  const inputs = actionInputs()
  const page = readFileSync(new URL('../../reports/in-ci.md', import.meta.url), 'utf8')
  for (const [flag, words] of flags) {
    const { description = '' } = inputs[flag] ?? {}
    // The action writes every format.
    if (flag !== 'format')
      expect(description.match(/[\w-]+/g)).toEqual(expect.arrayContaining(words))
    if (flag !== 'effort') for (const word of words) expect(page).toContain(`\`${word}\``)
  }
})

test('given its flags, then the GitHub action takes each of them, and none that is not there', () => {
  const flags = optionsOfConform().map(({ long }) => long!.slice(2))
  const inputs = Object.keys(actionInputs())
  // It always writes every format, and its results are in these.
  const own = ['format', 'json']
  // What the action does besides, and where it finds rollbed.
  const besides = ['artifact', 'package', 'command']
  expect(inputs.filter((name) => !besides.includes(name)).toSorted()).toEqual(
    flags.filter((name) => !own.includes(name)).toSorted(),
  )
})
