import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity } from '../parse-cheat-quantity.ts'
import { acceptInOrder } from './accept-in-order.ts'
import { fillRequest } from './fill-request.ts'

/** 100 ether. */
const USUAL_GIFT = 100n * 10n ** 18n

/**
 * `rollbed_faucet [address, wei?]` → the hash of a transaction that gives the address that much, 100
 * ether unless told. A transaction like any other: unlike `anvil_setBalance` it leaves the chain derivable
 * from L1.
 *
 * @throws JsonRpcError -32602; -32000 when the faucet holds less
 * @example
 * await client.request({ method: 'rollbed_faucet', params: [address] })
 */
export const rollbedFaucet: CheatMethod = (rpc, params, context) => {
  const [addressParam, amount] = positional(params)
  const to = parseAddress(addressParam, 'address')
  const value = amount === undefined ? USUAL_GIFT : parseCheatQuantity(amount, 'wei')
  const request = { from: roleKeys.faucet.address, to, value: `0x${value.toString(16)}` }
  return acceptInOrder(rpc, async () => {
    const { transaction } = await fillRequest(rpc, request, 'faucet', context)
    // Made now: a key's first use costs some 25 ms, which no start is to wait for.
    const faucet = privateKeyToAccount(roleKeys.faucet.privateKey)
    const signed = await faucet.signTransaction(transaction)
    return decodeTransaction(hexToBytes(signed)) as SignedTransaction
  })
}
