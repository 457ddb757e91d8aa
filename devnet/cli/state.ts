import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { decodeStateDump } from '#devnet/l2/node/state/state-dump'
import { askerOf } from '#devnet/rollup/start/asker-of'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import { readDevnetFile } from './devnet-file.ts'
import { UsageError } from './usage-error.ts'

interface StateFlags {
  rpc?: string
  json?: boolean
}

/** `rollbed state`: the L2 state of a devnet as a file that another can begin from. */
export function addStateCommand(program: Command): void {
  const state = program
    .command('state')
    .description('Keep the L2 state of a devnet in a file, and begin from it elsewhere.')

  state
    .command('export <file>')
    .description('Write balances, nonces, code and storage at latest; blocks are not in it.')
    .option('--rpc <url>', 'L2 RPC (default: of the devnet started in this folder)')
    .option('--json', 'print {file, bytes, stateRoot}')
    .action(async (file: string, flags: StateFlags) => {
      const dump = hexToBytes((await ask(flags)('anvil_dumpState', [])) as Hex)
      const { stateRoot } = decodeStateDump(dump)
      await writeFile(file, dump)
      print(flags, { file, bytes: dump.length, stateRoot })
    })

  state
    .command('import <file>')
    .description('Put such a state in the place of that at latest; the chain then leaves L1.')
    .option('--rpc <url>', 'L2 RPC (default: of the devnet started in this folder)')
    .option('--json', 'print {file, bytes, stateRoot}')
    .action(async (file: string, flags: StateFlags) => {
      const dump = await readFile(file).catch(() => {
        throw new UsageError(`'${file}' cannot be read.`)
      })
      const { stateRoot } = decodeStateDump(dump)
      await ask(flags)('anvil_loadState', [bytesToHex(dump)])
      print(flags, { file, bytes: dump.length, stateRoot })
    })
}

const ask = ({ rpc }: StateFlags) => askerOf(rpc ?? readDevnetFile().rpcUrl)

function print(
  { json }: StateFlags,
  written: { file: string; bytes: number; stateRoot: Hex },
): void {
  const { file, bytes, stateRoot } = written
  console.log(json ? JSON.stringify(written) : `${file}: ${bytes} bytes, state ${stateRoot}`)
}
