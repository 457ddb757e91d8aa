import { execFile, spawn } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Argument, Command } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import { BOARD_TARGETS, boardTarget, claimsOf } from './board-targets.ts'
import { startBoardTarget } from './start-board-target.ts'

const MAIN = join(import.meta.dirname, '../../../devnet/cli/main.ts')
/** Exit codes of a run that was judged: all well, or a rule broken. */
const JUDGED = [0, 1]

const program = new Command('npm run board --').description(
  'The steps of the workflow that makes the public board.',
)
program
  .command('judge')
  .description(
    'Starts a target of the board, judges it, and writes the run into a folder of its name. What fails is what the board shows; only where nothing could be judged is it an error.',
  )
  .addArgument(new Argument('<target>', 'its name').choices(BOARD_TARGETS.map((each) => each.name)))
  .argument('<out>', 'the folder of all runs')
  .action(judge)
program
  .command('write')
  .description('Puts all runs into the page of the board, with what each breaks in broken.txt.')
  .argument('<board>', 'the folder of the page')
  .argument('<out>', 'the folder of all runs')
  .argument('[commits]', 'address before the id of a commit')
  .action(write)
await program.parseAsync()

async function judge(name: string, out: string): Promise<void> {
  const target = boardTarget(name)
  await using started = await startBoardTarget(target, systemClock)
  const args = [
    ...['conform', '--rpc', started.rpc, '--ws', started.ws, '--driver', 'devnet'],
    ...[
      '--claim',
      claimsOf(target).join(','),
      '--build',
      target.package ?? process.env.GITHUB_SHA ?? 'here',
    ],
    ...['--out', join(out, name), '--format', 'json,html,md'],
    ...(target.profile ? ['--profile', target.profile] : []),
  ]
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'inherit' })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.exitCode = JUDGED.includes(Number(code)) ? 0 : Number(code ?? 1)
}

async function write(board: string, out: string, commits: string | undefined): Promise<void> {
  const rollbed = (...args: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, 'report', ...args], { maxBuffer: 1e8 })
  for (const name of (await readdir(out)).toSorted())
    await rollbed('site', board, join(out, name), '--target', name)
  // Refused where there is no run at all, neither of now nor of earlier weeks.
  await rollbed('site', board, ...(commits ? ['--commits', commits] : []))
  const { stdout } = await rollbed('query', board)
  await writeFile(join(board, 'broken.txt'), stdout)
}
