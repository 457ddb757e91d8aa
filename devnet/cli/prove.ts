import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import { addCommand, type CommandTable } from './add-command.ts'
import { CONFIG_HELP, describedDevnet } from './described-devnet.ts'
import { devnetFile } from './devnet-file.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { url, wholeNumber } from './parse-number.ts'
import { proverOf } from './prover-of.ts'
import { UsageError } from './usage-error.ts'

const PROVE = {
  name: 'prove',
  says: 'Prove a range of L2 blocks and print the ProofResult as JSON.',
  flags: {
    from: value('<block>', 'first block', wholeNumber(1), { isRequired: true }),
    to: value('<block>', 'last block', wholeNumber(1), { isRequired: true }),
    config: text('<file>', CONFIG_HELP),
    rpc: value('<url>', 'L2 RPC', url),
    l1: value('<url>', 'L1 RPC', url),
    prover: value('<url>', 'prover host', url),
    interval: value('<blocks>', 'sampling stride of intermediate roots', wholeNumber(0), {
      default: 5,
    }),
    proposer: value('<address>', 'L1 address that will submit the proof', address),
    l1Head: value(
      '<block>',
      "L1 block to derive from, hash or number; default the newest. For a dispute, the game's l1Head()",
      l1Block,
    ),
    json: on('accepted for symmetry: the output is always JSON'),
  },
  examples: [
    'rollbed prove --from 1 --to 10',
    'rollbed prove --from 1 --to 10 --interval 5 > proof.json',
  ],
} as const satisfies CommandTable

type ProveFlags = FlagsOf<typeof PROVE.flags>

/** `rollbed prove`: asks a prover host for a range and prints its ProofResult. */
export function addProveCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, PROVE).action(async (flags: ProveFlags) => {
    if (flags.to < flags.from) {
      throw new UsageError(`--to ${flags.to} lies before --from ${flags.from}.`)
    }
    const endpoints = endpointsOf(flags)
    const { proveRange } = await import('#devnet/proving/prover/prove-range')
    const result = await proveRange({
      ...endpoints,
      from: flags.from,
      to: flags.to,
      interval: flags.interval,
      ...(flags.l1Head !== undefined && { l1Head: flags.l1Head }),
      clock: systemClock,
      onProgress: (line) => console.error(line),
    })
    console.log(jsonOf('prove', result))
    finish(0)
  })
}

/** URLs as given, or those of the devnet of `--config`, or of this folder. */
function endpointsOf(flags: ProveFlags) {
  const { rpc, l1, prover } = flags
  if (rpc && l1 && prover && flags.proposer) {
    return { rpcUrl: rpc, l1RpcUrl: l1, proverUrl: prover, proposer: flags.proposer }
  }
  const missing = Object.entries({ rpc, l1, prover, proposer: flags.proposer })
    .filter(([, given]) => !given)
    .map(([name]) => `--${name}`)
  if (missing.length < 4 && !flags.config && !existsSync(devnetFile())) {
    throw new UsageError(
      `Without a devnet in this folder ${missing.join(', ')} must be given, too.`,
      'Or name the description of a devnet by --config.',
    )
  }
  const devnet = describedDevnet(flags.config)
  return {
    rpcUrl: rpc ?? devnet.rpcUrl,
    l1RpcUrl: l1 ?? devnet.l1RpcUrl,
    proverUrl: prover ?? proverOf(devnet),
    proposer: flags.proposer ?? devnet.accounts[0]!.address,
  }
}

function l1Block(name: string) {
  return (block: string): `0x${string}` | number => {
    if (/^0x[0-9a-fA-F]{64}$/.test(block)) return block as `0x${string}`
    if (/^\d{1,15}$/.test(block)) return Number(block)
    throw new UsageError(`${name} must be the hash or the number of an L1 block, not '${block}'.`)
  }
}

/** As it is written: the host wants its checksum, where it has one. */
function address(name: string) {
  return (digits: string): `0x${string}` => {
    if (/^0x[0-9a-fA-F]{40}$/.test(digits)) return digits as `0x${string}`
    throw new UsageError(`${name} must be 0x and 40 hexadecimal digits, not '${digits}'.`)
  }
}
