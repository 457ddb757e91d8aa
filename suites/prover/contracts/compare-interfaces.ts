import { readFileSync } from 'node:fs'
import type { Abi, AbiParameter } from 'viem'
import { parse } from 'yaml'
import { type ContractName, loadContract } from '#fixtures/contracts/load-contract'

interface Published {
  source: string
  contracts: Record<string, { published: string; interface: string[]; storage: string[] }>
}

interface Reason {
  /** Name of our contract; absent: of all. */
  in?: ContractName
  match: string
  why: string
}

interface Departures {
  missing: Reason[]
  extra: Reason[]
  storageNames: Record<string, string>
}

/** One line of an interface, and whether each side has it. */
export interface InterfaceRow {
  signature: string
  published: boolean
  ours: boolean
  /** Undefined where both have it, and where nobody gave a reason. */
  reason: Reason | undefined
}

/** A variable of the published contract; slot and offset as `slot:offset`. */
export interface StorageRow {
  variable: string
  published: string
  /** Undefined: ours does not store it. */
  ours: string | undefined
}

export interface InterfaceComparison {
  ours: ContractName
  published: string
  rows: InterfaceRow[]
  storage: StorageRow[]
}

const folder = new URL('../../../fixtures/contracts/published/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')

/** Reasons for what differs from the published contracts. */
export const departures = parse(read('departures.yaml')) as Departures

/** Our contracts against the published ones, of which we keep signatures and slots alone. */
export function compareInterfaces(): InterfaceComparison[] {
  const { contracts } = JSON.parse(read('interfaces.json')) as Published
  return Object.entries(contracts).map(([name, published]) => {
    const ours = name as ContractName
    const { abi, storage } = loadContract(ours)
    const own = (abi as Abi).map(signatureOf)
    const rows = [...new Set([...published.interface, ...own])].sort().map((signature) => {
      const sides = {
        published: published.interface.includes(signature),
        ours: own.includes(signature),
      }
      const list = sides.published ? departures.missing : departures.extra
      const reason = sides.published && sides.ours ? undefined : reasonFor(list, ours, signature)
      return { signature, ...sides, reason }
    })
    const slots = published.storage.map((line) => {
      const [place, variable] = line.split(' ') as [string, string]
      const named = [variable, departures.storageNames[variable]]
      const own = storage.find(({ label }) => named.includes(label))
      return { variable, published: place, ours: own && `${own.slot}:${own.offset}` }
    })
    return { ours, published: published.published, rows, storage: slots }
  })
}

function reasonFor(list: Reason[], contract: ContractName, signature: string): Reason | undefined {
  return list.find(
    (reason) =>
      (reason.in ?? contract) === contract && new RegExp(`^(${reason.match})$`).test(signature),
  )
}

/** Types without names; `view` stands for `view` and `pure`, which callers cannot tell apart. */
function signatureOf(item: Abi[number]): string {
  if (item.type === 'receive' || item.type === 'fallback')
    return `${item.type} ${item.stateMutability}`
  const types = (list: readonly AbiParameter[] = []) => list.map(typeOf).join(',')
  if (item.type === 'constructor') return `constructor(${types(item.inputs)})`
  if (item.type === 'error') return `error ${item.name}(${types(item.inputs)})`
  if (item.type === 'event') {
    const inputs = item.inputs.map((input) => typeOf(input) + (input.indexed ? ' indexed' : ''))
    return `event ${item.name}(${inputs.join(',')})`
  }
  const reads = item.stateMutability === 'view' || item.stateMutability === 'pure'
  const kind = reads ? ' view' : item.stateMutability === 'payable' ? ' payable' : ''
  const result = item.outputs.length ? ` returns (${types(item.outputs)})` : ''
  return `function ${item.name}(${types(item.inputs)})${kind}${result}`
}

function typeOf(parameter: AbiParameter): string {
  if (!('components' in parameter)) return parameter.type
  const inner = parameter.components.map(typeOf).join(',')
  return `(${inner})${parameter.type.slice('tuple'.length)}`
}
