import { type Command, Option } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import { CONFIG_HELP, describedDevnet } from './described-devnet.ts'
import { url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

interface ProveFlags {
  config?: string
  from: number
  to: number
  rpc?: string
  l1?: string
  prover?: string
  interval: number
  proposer?: `0x${string}`
  l1Head?: `0x${string}` | number
}

/** `rollbed prove`: asks a prover host for a range and prints its ProofResult. */
export function addProveCommand(program: Command, finish: (exitCode: number) => void): void {
  const block = (name: string) => wholeNumber(name, 1, Number.MAX_SAFE_INTEGER)
  program
    .command('prove')
    .description('Prove a range of L2 blocks and print the ProofResult as JSON.')
    .addOption(
      new Option('--from <block>', 'first block').argParser(block('--from')).makeOptionMandatory(),
    )
    .addOption(
      new Option('--to <block>', 'last block').argParser(block('--to')).makeOptionMandatory(),
    )
    .option('--config <file>', CONFIG_HELP)
    .addOption(new Option('--rpc <url>', 'L2 RPC').argParser(url('--rpc')))
    .addOption(new Option('--l1 <url>', 'L1 RPC').argParser(url('--l1')))
    .addOption(new Option('--prover <url>', 'prover host').argParser(url('--prover')))
    .addOption(
      new Option('--interval <blocks>', 'sampling stride of intermediate roots')
        .argParser(wholeNumber('--interval', 0, Number.MAX_SAFE_INTEGER))
        .default(5),
    )
    .addOption(
      new Option('--proposer <address>', 'L1 address that will submit the proof').argParser(
        address,
      ),
    )
    .addOption(
      new Option(
        '--l1-head <block>',
        "L1 block to derive from, hash or number; default the newest. For a dispute, the game's l1Head()",
      ).argParser(l1Block),
    )
    .option('--json', 'accepted for symmetry: the output is always JSON')
    .action(async (flags: ProveFlags) => {
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
      console.log(JSON.stringify(result))
      finish(0)
    })
}

/** URLs as given, or those of the devnet of `--config`, or of this folder. */
function endpointsOf(flags: ProveFlags) {
  const { rpc, l1, prover } = flags
  if (rpc && l1 && prover && flags.proposer) {
    return { rpcUrl: rpc, l1RpcUrl: l1, proverUrl: prover, proposer: flags.proposer }
  }
  const devnet = describedDevnet(flags.config)
  return {
    rpcUrl: rpc ?? devnet.rpcUrl,
    l1RpcUrl: l1 ?? devnet.l1RpcUrl,
    proverUrl: prover ?? devnet.proverUrl,
    proposer: flags.proposer ?? devnet.accounts[0]!.address,
  }
}

function l1Block(text: string): `0x${string}` | number {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text as `0x${string}`
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--l1-head must be the hash or the number of an L1 block, not '${text}'.`)
}

function address(text: string): `0x${string}` {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text as `0x${string}`
  throw new UsageError(`--proposer must be 0x and 40 hexadecimal digits, not '${text}'.`)
}
