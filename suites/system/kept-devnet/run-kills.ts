import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { randomInt, seededRng } from '#protocol/random/rng'
import { wholeNumber } from '#suites/number-flags'
import { playKills } from './play-kills.ts'

const values = new Command('npm run kills --')
  .description(
    'Kills a devnet with `--state` at random moments, to the millisecond. What users saw and the next one has not is printed, and makes the exit code 1.',
  )
  .option('--kills <n>', 'how many', wholeNumber, 100)
  .option('--seed <n>', 'of the moments', wholeNumber, 1)
  .option('--blobs', 'keep batches in blobs')
  .parse()
  .opts<{ kills: number; seed: number; blobs?: true }>()
const folder = mkdtempSync(join(tmpdir(), 'rollbed-kills-'))
try {
  const report = await playKills({
    folder,
    kills: values.kills,
    rng: seededRng(`kills ${values.seed}`),
    moment: (_, rng) => sleep(systemClock, randomInt(rng, 4_000)),
    flags: values.blobs ? ['--data-availability', 'blobs'] : [],
    onKill: (so) => process.stderr.write(`${JSON.stringify(so)}\n`),
  })
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exitCode = report.losses.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
