import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { ERAS, type Era, upgradesOf } from '#devnet/base/options/eras'
import { DEFAULT_PORT_BASE, portsFrom } from '#devnet/base/ports'
import type { CountedBlocks } from '#devnet/rehearsal/block-counts/count-blocks'
import type { PlayedEra } from '#devnet/rehearsal/play-era'
import type { Devnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'
import { addCommand, type CommandTable } from './add-command.ts'
import { keepFolderFile } from './devnet-file.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { FORK_FLAGS, forkOf } from './fork-flags.ts'
import { jsonOf } from './json-of.ts'
import { wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'
import { whileWanted } from './while-wanted.ts'

const REHEARSE = {
  name: 'rehearse',
  says: 'Run a program on Base as it was, over the crossing to blocks of 200 ms, and after it; report what breaks.',
  takes: {
    '[command...]': 'the program, after --; it finds L2 by RPC_URL, ETH_RPC_URL and WS_URL',
  },
  flags: {
    proxy: on(
      'start no program: serve a chain that crosses to whoever calls, such as an app that runs already, and report at Ctrl-C',
    ),
    denimAfter: value('<s>', 'seconds from the start to the crossing', wholeNumber(2, 3600), {
      default: 10,
    }),
    portBase: value('<port>', 'first of the ports; 0: free ones', wholeNumber(0, 65_000), {
      default: DEFAULT_PORT_BASE,
    }),
    artifacts: text(
      '<dir>',
      "compiled contracts (Foundry's out, Hardhat's artifacts), to name the lines that count blocks",
    ),
    ...FORK_FLAGS,
    out: text('<file>', 'where the report goes, too, as Markdown'),
    json: on('print the report as JSON'),
  },
  examples: [
    'rollbed rehearse -- npm test',
    'rollbed rehearse --artifacts out --out rehearsal.md -- npm test',
    'rollbed rehearse --denim-after 30 --json -- node bot.js',
    'rollbed rehearse --proxy --denim-after 60 --out rehearsal.md',
    'rollbed rehearse --fork-url https://mainnet.base.org -- npm test',
  ],
} as const satisfies CommandTable

type RehearseFlags = FlagsOf<typeof REHEARSE.flags>

/** `rollbed rehearse`: what becomes of a program when blocks of 2 s become blocks of 200 ms. */
export function addRehearseCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, REHEARSE).action(async (words: string[], flags: RehearseFlags) => {
    const [program, ...args] = words
    if (flags.proxy && program)
      throw new UsageError('--proxy starts no program.', 'Give either a program or --proxy.')
    if (!program && !flags.proxy)
      throw new UsageError('A program is missing.', 'Give it after --, or --proxy.')
    finish(
      await whileWanted((left) =>
        program ? rehearse([program, ...args], flags, left) : standBefore(flags, left),
      ),
    )
  })
}

async function rehearse(
  words: readonly [string, ...string[]],
  flags: RehearseFlags,
  left: Promise<unknown>,
): Promise<number> {
  const { playEra } = await import('#devnet/rehearsal/play-era')
  const { countBlocks } = await import('#devnet/rehearsal/block-counts/count-blocks')
  const sources = await sourcesOf(flags)
  const abort = new AbortController()
  left.then(() => abort.abort())
  const played = []
  let counted: CountedBlocks = { counts: [], missed: 0 }
  for (const era of ERAS) {
    if (abort.signal.aborted) return ExitCode.failed
    console.error(`${era} Denim: ${words.join(' ')}`)
    await using devnet = await startEra(era, flags)
    // Whoever leaves while it starts wants no program any more.
    if (abort.signal.aborted) return ExitCode.failed
    const forget = await keepFolderFile(devnet)
    try {
      const here = await playEra(era, devnet, words, { clock: systemClock, signal: abort.signal })
      played.push(here)
      if (era === 'before') counted = await countBlocks(devnet, here.calls, sources)
    } finally {
      forget()
    }
  }
  if (abort.signal.aborted) return ExitCode.failed
  return await report(words.join(' '), { played, counted, flags })
}

/** In the place of the chain that an app calls, until a signal. */
async function standBefore(flags: RehearseFlags, left: Promise<unknown>): Promise<number> {
  const { countBlocks } = await import('#devnet/rehearsal/block-counts/count-blocks')
  const { watchCallers } = await import('#devnet/rehearsal/watch-callers')
  const sources = await sourcesOf(flags)
  await using devnet = await startEra('across', flags)
  const { rpcUrl, wsUrl } = devnet.description
  const forget = await keepFolderFile(devnet)
  try {
    console.error(`Listens at ${rpcUrl} and ${wsUrl}; Denim comes in ${flags.denimAfter} s.`)
    console.error('Ctrl-C ends it and prints the report.')
    const played = await watchCallers(devnet, { clock: systemClock, ended: left })
    const counted = await countBlocks(
      devnet,
      played.flatMap(({ calls }) => calls),
      sources,
    )
    return await report(`whoever called ${rpcUrl}`, { played, counted, flags })
  } finally {
    forget()
  }
}

async function startEra(era: Era, flags: RehearseFlags): Promise<Devnet> {
  const { portBase, denimAfter } = flags
  const fork = forkOf(flags)
  const { startDevnet } = await import('#devnet/start-devnet')
  return await startDevnet({
    ...{ enclaves: 0, logLevel: 'warn', profile: 'base', ports: portsFrom(portBase) },
    upgrades: upgradesOf(era, denimAfter),
    ...(fork && { fork }),
  })
}

async function sourcesOf({ artifacts }: RehearseFlags) {
  const { readSources } = await import('#devnet/dashboard/read-sources')
  return artifacts ? await readSources(resolve(artifacts)) : undefined
}

async function report(
  command: string,
  of: { played: readonly PlayedEra[]; counted: CountedBlocks; flags: RehearseFlags },
): Promise<number> {
  const { judgeRehearsal, rehearsalText } = await import('#devnet/rehearsal/rehearsal-report')
  const { played, counted, flags } = of
  const rehearsal = judgeRehearsal(command, played, counted)
  const report = rehearsalText(rehearsal)
  if (flags.out) writeFileSync(resolve(flags.out), `${report}\n`)
  console.log(flags.json ? jsonOf('rehearse', rehearsal) : report)
  return rehearsal.holds ? ExitCode.ok : ExitCode.failed
}
