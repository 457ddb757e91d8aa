import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sleep } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { randomInt, seededRng } from '#protocol/random/rng'
import { playKills } from './play-kills.ts'

/**
 * `npm run kills -- --kills 100 --seed 1 --blobs`: a devnet with `--state` is killed at random moments,
 * to the millisecond; what users saw and the next one has not is printed, and makes the exit code 1.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    blobs: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'rollbed-kills-'))
try {
  const report = await playKills({
    folder,
    kills: Number(values.kills),
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
