import { useEffect } from 'preact/hooks'
import type { ContractBook } from '../contract-book.ts'
import { CONTRACT_NAMES } from '../contract-names.ts'
import type { Hex } from '../json-types.ts'
import type { Live } from '../live.ts'
import { goTo, usePlace } from '../location.ts'
import { AddressLink, Shown, Table } from '../parts.tsx'
import { useBook } from '../use-book.ts'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** What a text names: one place, or contracts to choose from. */
type Found = { path: string } | { contracts: { address: Hex; why: string }[] }

/** Goes to whatever a text names, or lists the contracts that it names. */
export function Search() {
  const live = useDevnet()
  const book = useBook()
  const text = usePlace().query.get('q') ?? ''
  const found = useLoaded(async (): Promise<Found> => {
    const path = await pathOf(text, live)
    if (path) return { path }
    const contracts = await contractsOf(text, live, book)
    if (contracts.length === 1) return { path: `/address/${contracts[0]!.address}` }
    if (contracts.length === 0) throw new Error(`Nothing is called “${text}” here.`)
    return { contracts }
  }, [text, book])
  useEffect(() => {
    if (found.value && 'path' in found.value) goTo(found.value.path)
  }, [found.value])
  return (
    <>
      <h1>Search</h1>
      <Shown loaded={found}>
        {(value) =>
          'path' in value ? (
            <p>Found.</p>
          ) : (
            <Table
              title={`Contracts by “${text}”`}
              columns={['Contract', 'Because']}
              rows={value.contracts.map(({ address, why }) => ({
                key: address,
                cells: [<AddressLink key="a" address={address} />, why],
              }))}
            />
          )
        }
      </Shown>
    </>
  )
}

async function pathOf(text: string, { node, devnet }: Live): Promise<string | undefined> {
  if (/^(\d{1,15}|latest|pending|safe|finalized|earliest)$/.test(text)) return `/block/${text}`
  if (/^0x[0-9a-f]{40}$/i.test(text)) return `/address/${text.toLowerCase()}`
  if (/^0x[0-9a-f]{64}$/i.test(text)) {
    const block = await node.call('eth_getBlockByHash', [text, false])
    if (block) return `/block/${text}`
    return (await node.call('eth_getTransactionByHash', [text])) ? `/tx/${text}` : undefined
  }
  const [, index] = /^account (\d)$/i.exec(text) ?? []
  if (index) return `/address/${devnet.accounts[Number(index)]}`
  // A method of JSON-RPC: who called it.
  if (/^[a-z0-9]+_[a-z0-9]+$/i.test(text) && !text.startsWith('bc_')) {
    return `/requests?method=${encodeURIComponent(text)}`
  }
  const stats = await node.call<{ codes: { code: string; wallet: Hex | null }[] }>(
    'rollbed_attributionStats',
  )
  const code = stats.codes.find((each) => each.code === text)
  return code && (code.wallet ? `/address/${code.wallet}` : '/codes')
}

/** Contracts with this name, or with a function of this name; the newest created here come first. */
async function contractsOf(text: string, { node }: Live, book: ContractBook) {
  const { contracts } = await node.call<{ contracts: { address: Hex }[] }>('rollbed_contracts')
  const addresses = [
    ...contracts.map(({ address }) => address),
    ...(Object.keys(CONTRACT_NAMES) as Hex[]),
  ]
  const codeAt = (of: Hex) => node.call<Hex>('eth_getCode', [of, 'pending'])
  const wanted = text.toLowerCase()
  const matches = await Promise.all(
    addresses.map(async (address) => {
      const contract = await book.contractAt(address, codeAt)
      const name = contract?.name ?? CONTRACT_NAMES[address]
      if (name?.toLowerCase() === wanted) return [{ address, why: 'its name' }]
      const has = contract?.abi.some(
        (item) => item.type === 'function' && item.name.toLowerCase() === wanted,
      )
      return has ? [{ address, why: 'it has a function of this name' }] : []
    }),
  )
  return matches.flat()
}
