import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { TransactionSerializable } from 'viem'
import type { ChainView } from '#devnet/l2/node/chain-view'
import { l2ChainId, predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Address } from '#protocol/types/bytes'
import { deploying, randomProgram } from '#suites/oracles/differential/random-code'
import type { RandomSource } from '#suites/oracles/differential/random-source'
import { signAuthorization, signTransaction } from '#suites/oracles/differential/sign'

const GWEI = 1_000_000_000n

/**
 * A user's next transaction as the chain stands, of any type: a transfer, a deployment, a call that
 * logs, reverts or runs out of gas, a delegation. EIP-2718 encoded.
 * @param known accounts to send to
 */
export function randomTransaction(
  random: RandomSource,
  chain: ChainView,
  known: readonly Address[],
): Uint8Array {
  const user = random.pick(userKeys)
  const { stateRoot } = (chain.pending() ?? chain.latest()).header
  const nonceOf = (address: Address) =>
    Number(chain.nextPoolNonce(address) ?? chain.account(stateRoot, address)?.nonce ?? 0n)
  const tip = BigInt(random.below(5)) * GWEI
  const common = {
    chainId: l2ChainId,
    nonce: nonceOf(user.address),
    value: BigInt(random.below(1000)),
    gas: 400_000n,
    to: random.pick(known),
    data: bytesToHex(random.bytes(random.below(100))),
  }
  const fees = { maxPriorityFeePerGas: tip, maxFeePerGas: tip + 20n * GWEI }
  const shapes: (() => TransactionSerializable)[] = [
    () => ({ ...common, ...fees, type: 'eip1559', data: '0x', gas: 21_000n }),
    () => ({ ...common, type: 'legacy', gasPrice: 20n * GWEI }),
    () => ({ ...common, type: 'eip2930', gasPrice: 20n * GWEI, accessList: [] }),
    () => ({ ...common, ...fees, type: 'eip1559' }),
    () => ({ ...common, ...fees, type: 'eip1559', gas: 24_000n }),
    () => {
      const { to: _, ...rest } = common
      const code = deploying(random, known, randomProgram(random, known))
      return { ...rest, ...fees, type: 'eip1559', gas: 1_500_000n, data: bytesToHex(code) }
    },
    () => {
      const authority = random.pick(userKeys)
      const nonce = nonceOf(authority.address) + (authority === user ? 1 : 0)
      const authorization = { chainId: l2ChainId, address: random.pick(known), nonce }
      const authorizationList = [signAuthorization(authority.privateKey, authorization)]
      return { ...common, ...fees, type: 'eip7702', authorizationList }
    },
  ]
  return hexToBytes(signTransaction(user.privateKey, random.pick(shapes)()))
}

/** Accounts that any chain has. */
export function knownAccounts(): Address[] {
  return [...userKeys.map(({ address }) => address), ...Object.values(predeploys)]
}
