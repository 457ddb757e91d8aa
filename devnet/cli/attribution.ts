import type { Command } from 'commander'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { calldataGas } from '#devnet/builder-codes/attribution/calldata-gas'
import { Attribution } from '#devnet/builder-codes/attribution/erc8021'
import { codesOf, readAttribution } from '#devnet/builder-codes/attribution/read-attribution'
import { whyNoSuffix } from '#devnet/builder-codes/attribution/why-no-suffix'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { addCommand, type CommandTable } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { type FlagsOf, on, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

const ENCODE = {
  name: 'encode',
  says: 'Print the schema-0 suffix that credits these codes.',
  takes: { '<code...>': 'builder codes' },
  flags: { json: on('print {suffix, gas, floorGas}') },
  examples: ['rollbed attribution encode bc_a1b2c3d4'],
} as const satisfies CommandTable

const DECODE = {
  name: 'decode',
  says: 'Print what the suffix at the end of calldata says; exit 1 when there is none.',
  takes: { '<calldata>': '0x and hexadecimal' },
  flags: { json: on('print {codes, size, gas, floorGas, attribution}') },
  examples: [
    'rollbed attribution decode 0x62635f61316232633364340b0080218021802180218021802180218021',
  ],
} as const satisfies CommandTable

const STATS = {
  name: 'stats',
  says: 'Count the transactions and the suffix gas of every code on a rollbed node.',
  flags: {
    rpc: value('<url>', 'L2 RPC; default: the running devnet', url),
    from: value('<block>', 'first block; default: 2,000 before the last', wholeNumber(0)),
    to: value('<block>', 'last block; default: pending', wholeNumber(0)),
    json: on('print the answer of rollbed_attributionStats'),
  },
  examples: ['rollbed attribution stats --from 0'],
} as const satisfies CommandTable

type StatsFlags = FlagsOf<typeof STATS.flags>

/** What `rollbed_attributionStats` answers. */
interface AttributionStats {
  codes: { code: string; wallet: string | null; transactions: string; gas: string }[]
}

/** `rollbed attribution`: ERC-8021 suffixes on the command line. */
export function addAttributionCommand(program: Command, finish: (exitCode: number) => void): void {
  const attribution = addCommand(program, {
    name: 'attribution',
    says: 'Encode, decode and count ERC-8021 attribution suffixes.',
    examples: ['rollbed attribution encode bc_a1b2c3d4', 'rollbed attribution stats'],
  })

  addCommand(attribution, ENCODE).action((codes: string[], flags: FlagsOf<typeof ENCODE.flags>) => {
    const wrong = whyNoSuffix(codes)
    if (wrong !== undefined) throw new UsageError(wrong)
    const suffix = Attribution.toDataSuffix({ codes })
    const { intrinsic, floor } = calldataGas(hexToBytes(suffix))
    const summary = { suffix, gas: Number(intrinsic), floorGas: Number(floor) }
    console.log(flags.json ? jsonOf('attribution encode', summary) : suffix)
  })

  addCommand(attribution, DECODE).action(
    (calldata: string, flags: FlagsOf<typeof DECODE.flags>) => {
      if (!/^0x([0-9a-fA-F]{2})*$/.test(calldata)) {
        throw new UsageError('<calldata> must be 0x and an even number of hexadecimal digits.')
      }
      const bytes = hexToBytes(calldata as `0x${string}`)
      const read = readAttribution(bytes)
      if (!read) {
        console.log(flags.json ? jsonOf('attribution decode', null) : 'no attribution')
        return finish(1)
      }
      const codes = codesOf(read.attribution)
      const { intrinsic, floor } = read.gas
      const suffix = bytesToHex(bytes.subarray(bytes.length - read.size))
      const summary = { codes, suffix, gas: Number(intrinsic), floorGas: Number(floor) }
      console.log(
        flags.json
          ? jsonOf('attribution decode', { ...summary, attribution: read.attribution })
          : `${codes.join(', ') || '(no codes)'}\n${read.size} bytes, ${intrinsic} gas (${floor} at the calldata floor)`,
      )
    },
  )

  addCommand(attribution, STATS).action(async (flags: StatsFlags) => {
    const stats = await attributionStats(flags)
    console.log(flags.json ? jsonOf('attribution stats', stats) : statsTable(stats))
  })
}

async function attributionStats({ rpc, from, to }: StatsFlags): Promise<AttributionStats> {
  const range = {
    ...(from !== undefined && { fromBlock: `0x${from.toString(16)}` }),
    ...(to !== undefined && { toBlock: `0x${to.toString(16)}` }),
  }
  const node = httpRpcClient(rpc ?? readDevnetFile().rpcUrl)
  return (await node.request('rollbed_attributionStats', [range])) as AttributionStats
}

function statsTable({ codes }: AttributionStats): string {
  if (codes.length === 0) return 'no attributed transactions'
  const rows = codes.map(({ code, wallet, transactions, gas }) => [
    code,
    String(Number(transactions)),
    String(BigInt(gas)),
    wallet ?? '-',
  ])
  const table = [['code', 'transactions', 'suffix gas', 'wallet'], ...rows]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
