import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { Command } from 'commander'
import { Attribution } from 'ox/erc8021'
import { codesOf, readAttribution } from '../attribution/read-attribution.ts'
import { UsageError } from './usage-error.ts'

/** `rollbed attribution`: ERC-8021 suffixes on the command line. */
export function addAttributionCommand(program: Command, finish: (exitCode: number) => void): void {
  const attribution = program
    .command('attribution')
    .description('Encode and decode ERC-8021 attribution suffixes.')

  attribution
    .command('encode <code...>')
    .description('Print the schema-0 suffix that credits these codes.')
    .option('--json', 'print {suffix, gas, floorGas}')
    .action((codes: string[], flags: { json?: boolean }) => {
      const suffix = Attribution.toDataSuffix({ codes: codes.map(checked) })
      const read = readAttribution(hexToBytes(suffix))
      if (!read) throw new UsageError('These codes are longer than a schema-0 suffix can hold.')
      const { intrinsic, floor } = read.gas
      const summary = { suffix, gas: Number(intrinsic), floorGas: Number(floor) }
      console.log(flags.json ? JSON.stringify(summary) : suffix)
    })

  attribution
    .command('decode <calldata>')
    .description('Print what the suffix at the end of calldata says; exit 1 when there is none.')
    .option('--json', 'print {codes, size, gas, floorGas, attribution}')
    .action((calldata: string, flags: { json?: boolean }) => {
      if (!/^0x([0-9a-fA-F]{2})*$/.test(calldata)) {
        throw new UsageError('<calldata> must be 0x and an even number of hexadecimal digits.')
      }
      const bytes = hexToBytes(calldata as `0x${string}`)
      const read = readAttribution(bytes)
      if (!read) {
        console.log(flags.json ? 'null' : 'no attribution')
        return finish(1)
      }
      const codes = codesOf(read.attribution)
      const { intrinsic, floor } = read.gas
      const suffix = bytesToHex(bytes.subarray(bytes.length - read.size))
      const summary = { codes, suffix, gas: Number(intrinsic), floorGas: Number(floor) }
      console.log(
        flags.json
          ? JSON.stringify({ ...summary, attribution: read.attribution })
          : `${codes.join(', ') || '(no codes)'}\n${read.size} bytes, ${intrinsic} gas (${floor} at the calldata floor)`,
      )
    })
}

function checked(code: string): string {
  if (/^[\x21-\x2b\x2d-\x7e]+$/.test(code)) return code
  throw new UsageError(`A code is printable ASCII without space or comma, not '${code}'.`)
}
