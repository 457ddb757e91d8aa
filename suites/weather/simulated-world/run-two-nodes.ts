import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'

const ROOT = join(import.meta.dirname, '../../..')
const PLAYER = 'suites/weather/simulated-world/print-drawn-run.ts'
/** Crossing, kept on disk, fast blocks with games: what seeds draw. */
const SEEDS = [1, 8, 11, 15, 22]

const [version, seeds] = new Command('npm run two-nodes --')
  .description(
    'Plays runs by the Node that is installed here and by another one of npm: their logs have to be the same byte for byte.',
  )
  .argument('[version]', 'of the other Node', '25')
  .argument('[seed...]', 'of the runs', SEEDS.map(String))
  .parse().processedArgs as [string, string[]]
for (const seed of seeds) {
  const [own, other] = [
    await digestOf(process.execPath, [PLAYER, seed]),
    await digestOf('npx', ['--yes', `node@${version}`, PLAYER, seed]),
  ]
  const verdict = own.digest === other.digest ? 'the same' : 'another'
  process.stdout.write(
    `seed ${seed}: ${own.lines} events, ${process.version} ${own.digest}, node@${version} ${other.digest}: ${verdict}\n`,
  )
  if (verdict === 'another' || own.lines < 100) process.exitCode = 1
}

async function digestOf(command: string, args: readonly string[]) {
  const limits = { cwd: ROOT, maxBuffer: 512 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(command, [...args], limits)
  const digest = createHash('sha256').update(stdout).digest('hex').slice(0, 16)
  return { digest, lines: stdout.split('\n').length - 1 }
}
