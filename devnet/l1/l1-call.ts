import * as AbiConstructor from 'ox/AbiConstructor'
import * as AbiFunction from 'ox/AbiFunction'
import type { Abi, ContractConstructorArgs, ContractFunctionArgs, ContractFunctionName } from 'viem'
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
  const values = args as readonly unknown[]
  // An ABI without a constructor has no item for it.
  if (values.length === 0) return { name, to: null, data: bytecode }
  const item = AbiConstructor.fromAbi(abi as Abi)
  return { name, to: null, data: AbiConstructor.encode(item, { bytecode, args: values as never }) }
}

/** Calls a function that changes state. */
export function invocation<
  const abi extends Abi,
  name extends ContractFunctionName<abi, 'nonpayable'>,
>(to: Address, abi: abi, name: name, args: ContractFunctionArgs<abi, 'nonpayable', name>): L1Call {
  const item = AbiFunction.fromAbi(abi as Abi, name as string)
  return { name, to, data: AbiFunction.encodeData(item, args as never) }
}
