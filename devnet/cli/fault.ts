import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { httpRpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import type { FaultKind } from '#devnet/faults/fault-catalogue'
import type { ActiveFault } from '#devnet/faults/fault-engine'
import { addCommand, type CommandTable } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { ExitCode } from './exit-code.ts'
import { addFaultCorpus } from './fault-corpus.ts'
import { addFaultFarm } from './fault-farm.ts'
import { addFaultReplay } from './fault-replay.ts'
import { addFaultRun, violationsInWords } from './fault-run.ts'
import { addFaultShrink } from './fault-shrink.ts'
import { addFaultSwarm } from './fault-swarm.ts'
import { addFaultWhy } from './fault-why.ts'
import { type FlagsOf, on, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

const rpc = value('<url>', 'L2 RPC of the devnet; default that of this folder', url)

const LIST = {
  name: 'list',
  says: 'The stories by name, with what each comes from.',
  flags: { json: on('one JSON array') },
  examples: ['rollbed fault list'],
} as const satisfies CommandTable

const JUDGE = {
  name: 'judge',
  says: 'Judge a stored log again.',
  takes: { '<file>': "events.ndjson of 'rollbed fault run'" },
  flags: { json: on('one JSON array') },
  examples: ['rollbed fault judge out/events.ndjson'],
} as const satisfies CommandTable

const INJECT = {
  name: 'inject',
  says: "Bring a fault about in a devnet of 'rollbed up --faults'.",
  takes: {
    '<target>': 'as in link:host-l1, process:enclave.16',
    '<fault>': 'as in latency, kill',
  },
  flags: {
    with: value(
      '<name=value...>',
      'what the fault is given, as in latency=500 jitter=100',
      (): ((each: string, before?: string[]) => string[]) =>
        (each, before = []) => [...before, each],
    ),
    rpc,
    json: on('one JSON object'),
  },
  examples: ['rollbed fault inject link:host-l1 latency --with latency=500 jitter=100'],
} as const satisfies CommandTable

const CLEAR = {
  name: 'clear',
  says: 'End the faults of a running devnet.',
  flags: { id: value('<n>', 'only this one', wholeNumber(0)), rpc, json: on('one JSON object') },
  examples: ['rollbed fault clear', 'rollbed fault clear --id 1'],
} as const satisfies CommandTable

/** `rollbed fault`: bad weather for a running devnet, or for one that is started for it. */
export function addFaultCommand(program: Command, finish: (exitCode: number) => void): void {
  const command = addCommand(program, {
    name: 'fault',
    says: 'Bad weather on demand: faults of links, processes, chains and clocks.',
    examples: ['rollbed fault list', 'rollbed fault inject link:host-l1 down'],
  })

  addCommand(command, LIST).action(async (flags: FlagsOf<typeof LIST.flags>) => {
    const { allStories } = await import('#suites/weather/stories/all-stories')
    const rows = allStories.map(({ name, story, rules, bodies, plan }) => {
      const targets = [...new Set(plan.faults.map(({ target }) => target))]
      return { name, story, rules, targets, bodies }
    })
    const width = Math.max(...rows.map(({ name }) => name.length))
    const lines = rows.map(({ name, story }) => `${name.padEnd(width)}  ${story}`)
    console.log(flags.json ? jsonOf('fault list', rows) : lines.join('\n'))
    finish(0)
  })

  addFaultRun(command, finish)

  addCommand(command, JUDGE).action(async (file: string, flags: FlagsOf<typeof JUDGE.flags>) => {
    const { judgeLog, parseLog } = await import('#suites/weather/judge-log')
    const violations = judgeLog(parseLog(readLog(file)))
    console.log(flags.json ? jsonOf('fault judge', violations) : violationsInWords(violations))
    finish(violations.length > 0 ? ExitCode.failed : ExitCode.ok)
  })

  addCommand(command, INJECT).action(
    async (target: string, fault: string, flags: FlagsOf<typeof INJECT.flags>) => {
      const parameters = Object.fromEntries((flags.with ?? []).map(assignment))
      const active = await ask(flags, 'rollbed_faultInject', [target, fault, parameters])
      const { FAULTS } = await import('#devnet/faults/fault-catalogue')
      const { id, fault: name } = active as ActiveFault
      const kind: FaultKind = FAULTS[name]
      const rest = kind.isMoment
        ? 'It is done; there is nothing to clear.'
        : `It lasts until 'rollbed fault clear --id ${id}'.`
      const words = `${target}: ${fault}. ${rest}`
      console.log(flags.json ? jsonOf('fault inject', active as ActiveFault) : words)
      finish(0)
    },
  )

  addFaultReplay(command, finish)
  addFaultSwarm(command, finish)
  addFaultShrink(command, finish)
  addFaultFarm(command, finish)
  addFaultCorpus(command, finish)
  addFaultWhy(command, finish)

  addCommand(command, CLEAR).action(async (flags: FlagsOf<typeof CLEAR.flags>) => {
    const params = flags.id === undefined ? [] : [flags.id]
    const cleared = await ask(flags, 'rollbed_faultClear', params)
    console.log(
      flags.json ? jsonOf('fault clear', { cleared: cleared as number }) : `${cleared} cleared.`,
    )
    finish(0)
  })
}

function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function assignment(text: string): [string, unknown] {
  const [, name, value] = /^([a-z_]+)=(.*)$/.exec(text) ?? []
  if (!name || value === undefined) {
    throw new UsageError(`--with takes name=value, not '${text}'.`)
  }
  if (/^-?\d+(\.\d+)?$/.test(value)) return [name, Number(value)]
  return [name, value === 'true' || value === 'false' ? value === 'true' : value]
}

/** The node's own URL, past its proxy: a link that is cut can still be mended. */
function faultsUrl(): string {
  const { faultsUrl, rpcUrl } = readDevnetFile()
  return faultsUrl ?? rpcUrl
}

async function ask(
  flags: { rpc?: string | undefined },
  method: string,
  params: unknown[],
): Promise<unknown> {
  try {
    return await httpRpcClient(flags.rpc ?? faultsUrl()).request(method, params)
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error
    throw new UsageError(error.rpcMessage, typeof error.data === 'string' ? error.data : undefined)
  }
}
