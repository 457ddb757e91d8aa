import type { Command } from 'commander'
import { isAddress, parseEther } from 'viem'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { Hash } from '#protocol/types/bytes'
import { addCommand, type CommandTable } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { url } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

const FAUCET = {
  name: 'faucet',
  says: 'Give an address ether on L2, by a transaction, and print its hash.',
  takes: { '<address>': 'who gets it' },
  flags: {
    amount: text('<ether>', 'how much', { default: '100' }),
    rpc: value('<url>', 'L2 RPC; default the devnet of this folder', url),
    json: on('print {transactionHash}'),
  },
  examples: ['rollbed faucet 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --amount 0.5'],
} as const satisfies CommandTable

/** `rollbed faucet`: gives ether on L2 of a running devnet. */
export function addFaucetCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, FAUCET).action(
    async (address: string, { amount, rpc, json }: FlagsOf<typeof FAUCET.flags>) => {
      if (!isAddress(address, { strict: false }))
        throw new UsageError(`<address> must be 0x and 40 hexadecimal digits, not '${address}'.`)
      const wei = `0x${weiOf(amount).toString(16)}`
      const client = httpRpcClient(rpc ?? readDevnetFile().rpcUrl)
      const hash = await client.request('rollbed_faucet', [address, wei])
      console.log(json ? jsonOf('faucet', { transactionHash: hash as Hash }) : hash)
      finish(0)
    },
  )
}

function weiOf(ether: string): bigint {
  if (!/^\d{1,12}(\.\d{1,18})?$/.test(ether))
    throw new UsageError(`--amount is a number of ether such as 0.5, not '${ether}'.`)
  return parseEther(ether)
}
