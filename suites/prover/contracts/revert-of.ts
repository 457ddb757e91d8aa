import {
  type Abi,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  type Hex,
  type PublicClient,
} from 'viem'
import { contractErrors } from '#devnet/actors/l1-reverted'

export interface Call<abi extends Abi, name extends ContractFunctionName<abi>> {
  address: Hex
  abi: abi
  functionName: name
  args: ContractFunctionArgs<abi, 'nonpayable' | 'payable' | 'view', name>
  value?: bigint
  /** Where another time than the next block's is meant. */
  blockOverrides?: { time: bigint }
}

/** The error a call reverts with, as `Name(argument, …)` or its reason; undefined when it succeeds. */
export async function revertOf<const abi extends Abi, name extends ContractFunctionName<abi>>(
  client: PublicClient,
  from: Hex,
  call: Call<abi, name>,
): Promise<string | undefined> {
  try {
    const abi = [...call.abi, ...contractErrors]
    await client.simulateContract({ ...call, abi, account: from } as never)
    return undefined
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (!(revert instanceof ContractFunctionRevertedError)) throw error
    if (!revert.data) return revert.reason
    if (revert.data.errorName === 'Error') return revert.reason
    const values = (revert.data.args ?? []).map((value) => String(value).toLowerCase())
    return `${revert.data.errorName}(${values.join(', ')})`
  }
}
