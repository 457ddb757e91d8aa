import { readFile, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { decodeStateDump } from '#devnet/l2/node/state/state-dump'
import { askerOf } from '#devnet/rollup/start/asker-of'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import { addCommand } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { type FlagsOf, on, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import type { JsonOutputs } from './json-outputs.ts'
import { url } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

const FLAGS = {
  rpc: value('<url>', 'L2 RPC (default: of the devnet started in this folder)', url),
  json: on('print {file, bytes, stateRoot}'),
}

type StateFlags = FlagsOf<typeof FLAGS>

/** `rollbed state`: the L2 state of a devnet as a file that another can begin from. */
export function addStateCommand(program: Command): void {
  const state = addCommand(program, {
    name: 'state',
    says: 'Keep the L2 state of a devnet in a file, and begin from it elsewhere.',
    examples: ['rollbed state export state.bin', 'rollbed state import state.bin'],
  })

  addCommand(state, {
    name: 'export',
    says: 'Write balances, nonces, code and storage at latest; blocks are not in it.',
    takes: { '<file>': 'to be written' },
    flags: FLAGS,
    examples: ['rollbed state export state.bin'],
  }).action(async (file: string, flags: StateFlags) => {
    const dump = hexToBytes((await ask(flags)('anvil_dumpState', [])) as Hex)
    const { stateRoot } = decodeStateDump(dump)
    await writeFile(file, dump)
    print('state export', flags, { file, bytes: dump.length, stateRoot })
  })

  addCommand(state, {
    name: 'import',
    says: 'Put such a state in the place of that at latest; the chain then leaves L1.',
    takes: { '<file>': "of 'rollbed state export'" },
    flags: FLAGS,
    examples: ['rollbed state import state.bin'],
  }).action(async (file: string, flags: StateFlags) => {
    const dump = await readFile(file).catch(() => {
      throw new UsageError(`'${file}' cannot be read.`)
    })
    const { stateRoot } = decodeStateDump(dump)
    await ask(flags)('anvil_loadState', [bytesToHex(dump)])
    print('state import', flags, { file, bytes: dump.length, stateRoot })
  })
}

const ask = ({ rpc }: StateFlags) => askerOf(rpc ?? readDevnetFile().rpcUrl)

function print(
  command: 'state export' | 'state import',
  { json }: StateFlags,
  written: JsonOutputs[typeof command],
): void {
  const { file, bytes, stateRoot } = written
  console.log(json ? jsonOf(command, written) : `${file}: ${bytes} bytes, state ${stateRoot}`)
}
