import { useEffect } from 'preact/hooks'
import type { Hex } from '../json-types.ts'
import { goTo, usePlace } from '../location.ts'
import type { NodeConnection } from '../node-connection.ts'
import { Shown } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** Goes to whatever a text names: a block, a transaction, an address, the wallet of a builder code. */
export function Search() {
  const { node } = useDevnet()
  const text = usePlace().query.get('q') ?? ''
  const found = useLoaded(async () => {
    const path = await pathOf(text, node)
    if (!path) throw new Error(`Nothing is called “${text}” here.`)
    return path
  }, [text])
  useEffect(() => {
    if (found.value) goTo(found.value)
  }, [found.value])
  return (
    <>
      <h1>Search</h1>
      <Shown loaded={found}>{() => <p>Found.</p>}</Shown>
    </>
  )
}

async function pathOf(text: string, node: NodeConnection): Promise<string | undefined> {
  if (/^(\d{1,15}|latest|pending|safe|finalized|earliest)$/.test(text)) return `/block/${text}`
  if (/^0x[0-9a-f]{40}$/i.test(text)) return `/address/${text.toLowerCase()}`
  if (/^0x[0-9a-f]{64}$/i.test(text)) {
    const block = await node.call('eth_getBlockByHash', [text, false])
    if (block) return `/block/${text}`
    return (await node.call('eth_getTransactionByHash', [text])) ? `/tx/${text}` : undefined
  }
  const stats = await node.call<{ codes: { code: string; wallet: Hex | null }[] }>(
    'rollbed_attributionStats',
  )
  const code = stats.codes.find((each) => each.code === text)
  return code && (code.wallet ? `/address/${code.wallet}` : '/codes')
}
