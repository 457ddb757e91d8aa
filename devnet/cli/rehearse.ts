import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { DEFAULT_PORT_BASE, portsFrom } from '#devnet/base/ports'
import type { CountedBlocks } from '#devnet/rehearsal/block-counts/count-blocks'
import { systemClock } from '#protocol/clock/system-clock'
import { addCommand, type CommandTable } from './add-command.ts'
import { devnetFile, keepDevnetFile } from './devnet-file.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { wholeNumber } from './parse-number.ts'
import { untilSignal } from './until-signal.ts'

const REHEARSE = {
  name: 'rehearse',
  says: 'Run a program on Base as it was, over the crossing to blocks of 200 ms, and after it; report what breaks.',
  takes: {
    '<command...>': 'the program, after --; it finds L2 by RPC_URL, ETH_RPC_URL and WS_URL',
  },
  flags: {
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
    out: text('<file>', 'where the report goes, too, as Markdown'),
    json: on('print the report as JSON'),
  },
  examples: [
    'rollbed rehearse -- npm test',
    'rollbed rehearse --artifacts out --out rehearsal.md -- npm test',
    'rollbed rehearse --denim-after 30 --json -- node bot.js',
  ],
} as const satisfies CommandTable

type RehearseFlags = FlagsOf<typeof REHEARSE.flags>

/** `rollbed rehearse`: what becomes of a program when blocks of 2 s become blocks of 200 ms. */
export function addRehearseCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, REHEARSE).action(async (words: string[], flags: RehearseFlags) => {
    finish(await rehearse(words as [string, ...string[]], flags, untilSignal()))
  })
}

async function rehearse(
  words: readonly [string, ...string[]],
  flags: RehearseFlags,
  received: Promise<unknown>,
): Promise<number> {
  const { startDevnet } = await import('#devnet/start-devnet')
  const { ERAS, playEra, upgradesOf } = await import('#devnet/rehearsal/play-era')
  const { judgeRehearsal, rehearsalText } = await import('#devnet/rehearsal/rehearsal-report')
  const { countBlocks } = await import('#devnet/rehearsal/block-counts/count-blocks')
  const { readSources } = await import('#devnet/dashboard/read-sources')
  const sources = flags.artifacts ? await readSources(resolve(flags.artifacts)) : undefined
  const abort = new AbortController()
  received.then(() => abort.abort())
  const played = []
  let counted: CountedBlocks = { counts: [], missed: 0 }
  for (const era of ERAS) {
    if (abort.signal.aborted) return ExitCode.failed
    console.error(`${era} Denim: ${words.join(' ')}`)
    await using devnet = await startDevnet({
      ...{ enclaves: 0, logLevel: 'warn', profile: 'base', ports: portsFrom(flags.portBase) },
      upgrades: upgradesOf(era, flags.denimAfter),
    })
    const forget = keepDevnetFile(devnetFile(), devnet)
    try {
      const here = await playEra(era, devnet, words, { clock: systemClock, signal: abort.signal })
      played.push(here)
      if (era === 'before') counted = await countBlocks(devnet, here.calls, sources)
    } finally {
      forget()
    }
  }
  const rehearsal = judgeRehearsal(words.join(' '), played, counted)
  const report = rehearsalText(rehearsal)
  if (flags.out) writeFileSync(resolve(flags.out), `${report}\n`)
  console.log(flags.json ? jsonOf('rehearse', rehearsal) : report)
  return rehearsal.holds ? ExitCode.ok : ExitCode.failed
}
