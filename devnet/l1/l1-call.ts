import {
  type Abi,
  type ContractConstructorArgs,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeDeployData,
  encodeFunctionData,
} from 'viem'
import { type ContractName, loadContract } from '#fixtures/contracts/load-contract'
import type { Address, Hex } from '#protocol/types/bytes'

/** What a transaction does, before anybody signs it. */
export interface L1Call {
  /** What it is for, in errors. */
  name: string
  /** null creates a contract. */
  to: Address | null
  data: Hex
  value?: bigint
}

/** Creates a contract of ours. */
export function creation<const abi extends Abi>(
  name: ContractName,
  abi: abi,
  args: ContractConstructorArgs<abi>,
): L1Call {
  const { bytecode } = loadContract(name)
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: args as readonly unknown[] })
  return { name, to: null, data }
}

/** Calls a function that changes state. */
export function invocation<
  const abi extends Abi,
  name extends ContractFunctionName<abi, 'nonpayable'>,
>(to: Address, abi: abi, name: name, args: ContractFunctionArgs<abi, 'nonpayable', name>): L1Call {
  const functionName: string = name
  return {
    name,
    to,
    data: encodeFunctionData({ abi: abi as Abi, functionName, args: args as never }),
  }
}
