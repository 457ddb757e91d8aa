import type { Command } from 'commander'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { readingCorpus } from './reading-corpus.ts'

const CORPUS = {
  name: 'corpus',
  says: 'Join what farms have found into one folder, and write the page of it: what, since when, by whom mended.',
  takes: { '<dir>': 'of the corpus', '[from...]': 'corpora to join into it' },
  flags: { json: on('one JSON object, as found.json') },
  examples: ['rollbed fault corpus weather', 'rollbed fault corpus weather part-0 part-1'],
} as const satisfies CommandTable

/** `rollbed fault corpus`: corpora as one, by rules that do not depend on their order. */
export function addFaultCorpus(fault: Command, finish: (exitCode: number) => void): void {
  addCommand(fault, CORPUS).action(
    async (dir: string, from: string[], flags: FlagsOf<typeof CORPUS.flags>) => {
      const [{ readCorpus, writeCorpus }, { joinFailures }, { writeCorpusPage }] =
        await Promise.all([
          import('#suites/weather/corpus/corpus-files'),
          import('#suites/weather/corpus/join-failures'),
          import('#suites/weather/corpus/write-corpus-page'),
        ])
      const failures = readingCorpus(() => joinFailures(...[dir, ...from].map(readCorpus)))
      writeCorpus(dir, failures)
      const described = writeCorpusPage(dir, failures)
      if (flags.json) console.log(jsonOf('fault corpus', described))
      else console.log(`${described.broken} broken, ${described.mended} mended: ${dir}/found.html`)
      finish(ExitCode.ok)
    },
  )
}
