import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { getContractAddress, type TransactionSerializable } from 'viem'
import { l2ChainId, predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Address } from '#protocol/types/bytes'
import { deploying, randomProgram } from '#suites/oracles/differential/random-code'
import type { RandomSource } from '#suites/oracles/differential/random-source'
import { signAuthorization, signTransaction } from '#suites/oracles/differential/sign'

const GWEI = 1_000_000_000

interface CommonFields {
  chainId: number
  nonce: number
  value: bigint
  maxPriorityFeePerGas: bigint
  maxFeePerGas: bigint
}

/**
 * Transactions of the ten users as a busy chain sees them: transfers, contracts that revert, log,
 * create or run out of gas, EIP-7702; some of them replaced, out of order or beyond anyone's means.
 */
export class RandomLoad {
  readonly #random: RandomSource
  readonly #nonces = new Map<Address, number>()
  readonly #known: Address[] = [
    ...userKeys.map(({ address }) => address),
    ...Object.values(predeploys),
  ]

  constructor(random: RandomSource) {
    this.#random = random
  }

  /** The next transaction, EIP-2718 encoded. */
  next(): Uint8Array {
    const random = this.#random
    const user = random.pick(userKeys)
    const expected = this.#nonces.get(user.address) ?? 0
    const odd = random.oneIn(15)
    const nonce = odd ? Math.max(0, expected + random.below(4) - 2) : expected
    if (!odd) this.#nonces.set(user.address, expected + 1)
    const tip = BigInt(random.below(5 * GWEI))
    const common = {
      chainId: l2ChainId,
      nonce,
      value: random.oneIn(60) ? 10n ** 23n : BigInt(random.below(1000)),
      maxPriorityFeePerGas: tip,
      maxFeePerGas: tip + BigInt(random.oneIn(20) ? 0 : 20 * GWEI),
    }
    return hexToBytes(signTransaction(user.privateKey, this.#shape(common, user.address)))
  }

  #shape(common: CommonFields, from: Address): TransactionSerializable {
    const random = this.#random
    switch (random.below(6)) {
      case 0:
        return { ...common, type: 'eip1559', to: random.pick(this.#known), gas: 21_000n }
      case 1: {
        const address = getContractAddress({ from, nonce: BigInt(common.nonce) })
        this.#known.push(address.toLowerCase() as Address)
        const code = deploying(random, this.#known, randomProgram(random, this.#known))
        return { ...common, type: 'eip1559', gas: 1_500_000n, data: bytesToHex(code) }
      }
      case 2:
        return {
          ...common,
          ...this.#call(),
          type: 'eip7702',
          authorizationList: [this.#delegation()],
        }
      case 3:
        // Too little gas for most contracts.
        return { ...common, ...this.#call(), type: 'eip1559', gas: 24_000n }
      case 4:
        // A limit that fits late flashblocks only.
        return { ...common, ...this.#call(), type: 'eip1559', gas: 30_000_000n }
      default:
        return { ...common, ...this.#call(), type: 'eip1559' }
    }
  }

  #call() {
    const random = this.#random
    const data = bytesToHex(random.bytes(random.below(40)))
    return { to: random.pick(this.#known), gas: 400_000n, data }
  }

  #delegation() {
    const authority = this.#random.pick(userKeys)
    const nonce = (this.#nonces.get(authority.address) ?? 0) + this.#random.below(2)
    const address = this.#random.pick(this.#known)
    return signAuthorization(authority.privateKey, { chainId: l2ChainId, address, nonce })
  }
}
