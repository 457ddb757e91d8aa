import { bytesToHex } from '@ethereumjs/util'
import { concatHex, getContractAddress, type Hex, numberToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { type Rng, randomInt } from '#protocol/random/rng'

/** Leaves code that sets the slot of its first word to its second. */
const STORE_INIT_CODE = '0x67602035600035550060005260086018f3'
/** Stores the hash of the block two before in slot 0; leaves no code. */
const BLOCKHASH_INIT_CODE = '0x6002430340600055'
/** SHA-256, identity, BN254 addition, BLAKE2, a BLS12-381 addition, P-256. */
const PRECOMPILES = [2, 4, 6, 9, 11, 256]
const SLOTS = 9

/** Makes signed transactions of two users that are valid in the order they are asked for. */
export function randomTransactions(rng: Rng): { deploy(): Promise<Hex>; next(): Promise<Hex> } {
  const senders = userKeys.slice(0, 2).map(({ privateKey }) => privateKeyToAccount(privateKey))
  const nonces = new Map<PrivateKeyAccount, number>(senders.map((sender) => [sender, 0]))
  const store = getContractAddress({ from: senders[0]!.address, nonce: 0n })

  const sign = (
    sender: PrivateKeyAccount,
    fields: { to?: Hex; data?: Hex; value?: bigint },
  ): Promise<Hex> => {
    const nonce = nonces.get(sender)!
    nonces.set(sender, nonce + 1)
    return sender.signTransaction({
      ...{ chainId: l2ChainId, nonce, gas: 200_000n },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
      ...fields,
    })
  }
  const below = (bound: number) => randomInt(rng, bound)
  const word = (value: number) => numberToHex(value, { size: 32 })

  return {
    deploy: () => sign(senders[0]!, { data: STORE_INIT_CODE }),
    next() {
      const sender = senders[below(senders.length)]!
      switch (below(5)) {
        case 0:
          return sign(sender, { to: userKeys[below(6)]!.address, value: BigInt(below(1_000)) })
        case 1:
          return sign(sender, { to: bytesToHex(rng.bytes(20)), value: 1n })
        case 2:
          return sign(sender, { data: BLOCKHASH_INIT_CODE })
        case 3: {
          const to = numberToHex(PRECOMPILES[below(PRECOMPILES.length)]!, { size: 20 })
          return sign(sender, { to, data: bytesToHex(rng.bytes(below(300))) })
        }
        default:
          // Zero half of the time, so that slots go away and tries fold.
          return sign(sender, { to: store, data: concatHex([word(below(SLOTS)), word(below(2))]) })
      }
    },
  }
}
