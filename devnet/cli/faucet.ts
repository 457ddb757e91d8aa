import { type Command, Option } from 'commander'
import { isAddress, parseEther } from 'viem'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { readDevnetFile } from './devnet-file.ts'
import { url } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

interface FaucetFlags {
  amount: string
  rpc?: string
  json?: boolean
}

/** `rollbed faucet`: gives ether on L2 of a running devnet. */
export function addFaucetCommand(program: Command, finish: (exitCode: number) => void): void {
  program
    .command('faucet <address>')
    .description('Give an address ether on L2, by a transaction, and print its hash.')
    .option('--amount <ether>', 'how much', '100')
    .addOption(
      new Option('--rpc <url>', 'L2 RPC; default the devnet of this folder').argParser(
        url('--rpc'),
      ),
    )
    .option('--json', 'print {transactionHash}')
    .action(async (address: string, { amount, rpc, json }: FaucetFlags) => {
      if (!isAddress(address, { strict: false }))
        throw new UsageError(`<address> must be 0x and 40 hexadecimal digits, not '${address}'.`)
      const wei = `0x${weiOf(amount).toString(16)}`
      const client = httpRpcClient(rpc ?? readDevnetFile().rpcUrl)
      const hash = await client.request('rollbed_faucet', [address, wei])
      console.log(json ? JSON.stringify({ transactionHash: hash }) : hash)
      finish(0)
    })
}

function weiOf(ether: string): bigint {
  if (!/^\d{1,12}(\.\d{1,18})?$/.test(ether))
    throw new UsageError(`--amount is a number of ether such as 0.5, not '${ether}'.`)
  return parseEther(ether)
}
