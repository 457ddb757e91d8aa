import {
  type Account,
  type Address,
  type Chain,
  type Client,
  type Hex,
  parseAbi,
  serializeTransaction,
  size,
  type TransactionSerializable,
  type Transport,
} from 'viem'
import { parseAccount } from 'viem/accounts'
import { estimateFeesPerGas, estimateGas, getBalance, getChainId, readContract } from 'viem/actions'
import { chainConfig } from 'viem/op-stack'
import { RollbedError } from '#protocol/errors/rollbed-error'

export interface MaximumValueParameters {
  to: Address
  data?: Hex | undefined
  /** Default: the client's. */
  account?: Account | Address | undefined
}

/** A transaction that takes with it all that the sender can spend. */
export interface MaximumValue {
  /** Wei. */
  value: bigint
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** At most so much goes to L1, in wei; what is not taken stays with the sender. */
  l1Fee: bigint
  /** Wei; zero where the chain asks for none (Isthmus). */
  operatorFee: bigint
}

const oracleAbi = parseAbi([
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
])
/** Wei; nobody has so much. */
const PLENTY = 2n ** 96n
/** A number that takes as many bytes as any. */
const LONGEST = 2n ** 64n - 1n

/**
 * What an account can send at most: its pre-confirmed balance less the gas at its full price, the L1
 * fee (GasPriceOracle's upper bound, as the signed bytes are not known yet) and the operator fee.
 *
 * @throws RollbedError BALANCE_TOO_LOW where nothing is left, ACCOUNT_MISSING
 */
export async function maximumValue(
  client: Client<Transport, Chain | undefined, Account | undefined>,
  parameters: MaximumValueParameters,
): Promise<MaximumValue> {
  const { to, data } = parameters
  const account = parameters.account ?? client.account
  if (!account) {
    throw new RollbedError('ACCOUNT_MISSING', 'Whose money is it?', {
      hint: 'Give the client, or this call, an account.',
    })
  }
  const { address } = parseAccount(account)
  const { maxFeePerGas, maxPriorityFeePerGas } = await estimateFeesPerGas(client, {
    chain: client.chain,
  })
  const [balance, chainId, gas] = await Promise.all([
    getBalance(client, { address, blockTag: 'pending' }),
    client.chain?.id ?? getChainId(client),
    estimateGas(client, {
      ...{ account, to, value: 1n },
      ...(data && { data }),
      // Whether the money is enough is for us to say.
      stateOverride: [{ address, balance: PLENTY }],
    }),
  ])
  const unsigned: TransactionSerializable = {
    ...{ type: 'eip1559', chainId, to, gas, nonce: Number(LONGEST >> 32n), value: balance },
    ...(data && { data }),
    ...{ maxFeePerGas, maxPriorityFeePerGas },
  }
  const oracle = { abi: oracleAbi, address: chainConfig.contracts.gasPriceOracle.address } as const
  const [l1Fee, operatorFee] = await Promise.all([
    readContract(client, {
      ...oracle,
      functionName: 'getL1FeeUpperBound',
      args: [BigInt(size(serializeTransaction(unsigned)))],
      blockTag: 'pending',
    }),
    readContract(client, {
      ...oracle,
      functionName: 'getOperatorFee',
      args: [gas],
      blockTag: 'pending',
    }),
  ])
  const cost = gas * maxFeePerGas + l1Fee + operatorFee
  if (balance <= cost) {
    throw new RollbedError(
      'BALANCE_TOO_LOW',
      `${address} has ${balance} wei, and fees alone may take ${cost}.`,
      { hint: 'On a devnet: setBalance of testActions().' },
    )
  }
  return {
    value: balance - cost,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    l1Fee,
    operatorFee,
  }
}
