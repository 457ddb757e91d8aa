import type { Hex } from '../json-types.ts'
import { loadSources } from '../load-sources.ts'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** The sources that a contract was compiled from, closed until one wants to read them. */
export function SourceFiles({ address }: { address: Hex }) {
  const { node } = useDevnet()
  const source = useLoaded(async () => {
    const code = await node.call<Hex>('eth_getCode', [address, 'pending'])
    const [found] = await loadSources([{ code, isCreation: false }])
    return Object.values(found?.files ?? {})
  }, [address])
  if (!source.value?.length) return null
  return (
    <>
      <h2>Source</h2>
      {source.value.map(({ path, text }) => (
        <details key={path}>
          <summary>{path}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
          <section class="scroll source" aria-label={`Source ${path}`} tabIndex={0}>
            <ol>
              {text.split('\n').map((words, index) => (
                <li key={index}>
                  <code>{words || ' '}</code>
                </li>
              ))}
            </ol>
          </section>
        </details>
      ))}
    </>
  )
}
