import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  erc20Abi,
  erc721Abi,
  multicall3Abi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { l1BlockAbi } from '#fixtures/contracts/L1Block.abi'
import { l2CrossDomainMessengerAbi } from '#fixtures/contracts/L2CrossDomainMessenger.abi'
import { l2ERC721BridgeAbi } from '#fixtures/contracts/L2ERC721Bridge.abi'
import { l2StandardBridgeAbi } from '#fixtures/contracts/L2StandardBridge.abi'
import { l2ToL1MessagePasserAbi } from '#fixtures/contracts/L2ToL1MessagePasser.abi'
import { optimismMintableERC20Abi } from '#fixtures/contracts/OptimismMintableERC20.abi'
import { optimismMintableERC20FactoryAbi } from '#fixtures/contracts/OptimismMintableERC20Factory.abi'
import { optimismMintableERC721Abi } from '#fixtures/contracts/OptimismMintableERC721.abi'
import { optimismMintableERC721FactoryAbi } from '#fixtures/contracts/OptimismMintableERC721Factory.abi'
import { weth9Abi } from '#fixtures/contracts/WETH9.abi'
import { isCodeOf } from '../is-code-of.ts'
import type { Artifact } from '../read-artifacts.ts'
import { CONTRACT_NAMES } from './contract-names.ts'
import type { Hex, LogJson } from './json-types.ts'

/** A call, log or error in words. */
export interface Decoded {
  name: string
  args: { name: string; type: string; value: string }[]
}

/** By the names of `CONTRACT_NAMES`. */
const ABI_OF: Readonly<Record<string, Abi>> = {
  WETH9: weth9Abi,
  L1Block: l1BlockAbi,
  L2CrossDomainMessenger: l2CrossDomainMessengerAbi,
  L2StandardBridge: l2StandardBridgeAbi,
  L2ERC721Bridge: l2ERC721BridgeAbi,
  L2ToL1MessagePasser: l2ToL1MessagePasserAbi,
  OptimismMintableERC20Factory: optimismMintableERC20FactoryAbi,
  OptimismMintableERC721Factory: optimismMintableERC721FactoryAbi,
  Multicall3: multicall3Abi,
}

const KNOWN: readonly Abi[] = [
  ...[l1BlockAbi, l2CrossDomainMessengerAbi, l2StandardBridgeAbi, l2ToL1MessagePasserAbi],
  ...[optimismMintableERC20FactoryAbi, optimismMintableERC20Abi],
  ...[l2ERC721BridgeAbi, optimismMintableERC721FactoryAbi, optimismMintableERC721Abi],
  ...[weth9Abi, multicall3Abi, erc721Abi, erc20Abi],
]

/** All that is known of contracts: those of every OP chain, usual tokens, and the user's artifacts. */
export class ContractBook {
  readonly #artifacts: readonly Artifact[]
  readonly #functions = new Map<string, AbiFunction[]>()
  readonly #events = new Map<string, AbiEvent[]>()
  readonly #errors: Abi
  readonly #names = new Map<Hex, string | undefined>()

  constructor(artifacts: readonly Artifact[]) {
    this.#artifacts = artifacts.filter(({ deployedBytecode }) => deployedBytecode.length > 2)
    // What the user wrote is read first.
    const abis = [...artifacts.map(({ abi }) => abi), ...KNOWN]
    for (const item of abis.flat()) {
      // An artifact may hold what no compiler wrote.
      const key = attempt(() => selectorOf(item))
      if (key && item.type === 'function') push(this.#functions, key, item)
      if (key && item.type === 'event') push(this.#events, key, item)
    }
    this.#errors = abis.flat().filter(({ type }) => type === 'error')
  }

  call(input: Hex): Decoded | undefined {
    for (const item of this.#functions.get(input.slice(0, 10)) ?? []) {
      const read = attempt(() => decodeFunctionData({ abi: [item], data: input }))
      if (read) return { name: item.name, args: named(item.inputs, read.args) }
    }
    return undefined
  }

  /** What a call with this input gave back. */
  result(input: Hex, output: Hex): Decoded['args'] | undefined {
    for (const item of this.#functions.get(input.slice(0, 10)) ?? []) {
      const read = attempt(() => [decodeFunctionResult({ abi: [item], data: output })])
      if (!read || item.outputs.length === 0) continue
      return named(item.outputs, item.outputs.length === 1 ? read : read[0])
    }
    return undefined
  }

  log({ topics, data }: LogJson): Decoded | undefined {
    for (const item of this.#events.get(topics[0] ?? '') ?? []) {
      const read = attempt(() => decodeEventLog({ abi: [item], topics: topics as [Hex], data }))
      if (read) return { name: item.name, args: named(item.inputs, read.args) }
    }
    return undefined
  }

  /** Why a call reverted. */
  error(output: Hex): string | undefined {
    const read = attempt(() => decodeErrorResult({ abi: this.#errors, data: output }))
    return read && `${read.errorName}(${(read.args ?? []).map(show).join(', ')})`
  }

  /** What is known of the contract at an address: by the address itself, or by its code. */
  async contractAt(
    address: Hex,
    codeAt: (address: Hex) => Promise<Hex>,
  ): Promise<Pick<Artifact, 'name' | 'abi' | 'storage'> | undefined> {
    const name = CONTRACT_NAMES[address.toLowerCase()]
    const abi = name && ABI_OF[name]
    if (abi) return { name, abi }
    if (this.#artifacts.length === 0) return undefined
    const code = await codeAt(address)
    return this.#artifacts.find((artifact) => isCodeOf(artifact, code))
  }

  /** The name of what stands at an address: by the address itself, or by its code. */
  async nameOf(address: Hex, codeAt: (address: Hex) => Promise<Hex>): Promise<string | undefined> {
    const known = CONTRACT_NAMES[address.toLowerCase()]
    if (known || this.#artifacts.length === 0) return known
    if (!this.#names.has(address)) {
      const code = await codeAt(address)
      const found = this.#artifacts.find((artifact) => isCodeOf(artifact, code))
      // An account without code may get some.
      if (code === '0x') return undefined
      this.#names.set(address, found?.name)
    }
    return this.#names.get(address)
  }
}

function selectorOf(item: Abi[number]): string | undefined {
  if (item.type === 'function') return toFunctionSelector(item)
  return item.type === 'event' ? toEventSelector(item) : undefined
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  map.set(key, [...(map.get(key) ?? []), item])
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function named(
  inputs: readonly { name?: string; type: string }[],
  values: unknown,
): Decoded['args'] {
  return inputs.map(({ name, type }, index) => {
    const value = Array.isArray(values) ? values[index] : Object(values)[name || index]
    return { name: name || `${index}`, type, value: show(value) }
  })
}

function show(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return value
  const text = (_key: string, inner: unknown) => (typeof inner === 'bigint' ? `${inner}` : inner)
  return JSON.stringify(value, text) ?? String(value)
}
