import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { writeDevnetFile } from '#devnet/cli/devnet-file'

const COMMAND = join(import.meta.dirname, '../../../devnet/cli/rollbed.sh')

export interface CommandOutcome {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs `rollbed` in the folder of a devnet, as beside a `rollbed up`. */
export async function runCommand(
  devnet: DevnetDescription,
  args: readonly string[],
): Promise<CommandOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  try {
    writeDevnetFile(join(folder, '.rollbed/devnet.json'), devnet)
    return await new Promise((resolve) => {
      execFile(COMMAND, args, { cwd: folder }, (error, stdout, stderr) => {
        const exitCode = error ? Number(error.code ?? 1) : 0
        resolve({ exitCode, stdout, stderr })
      })
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
