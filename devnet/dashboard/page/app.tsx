import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Live } from './live.ts'
import { goTo, type Place, usePlace } from './location.ts'
import { LiveContext, useDevnet, useLive } from './use-live.ts'
import { Accounts } from './views/accounts.tsx'
import { Actors } from './views/actors.tsx'
import { Address } from './views/address.tsx'
import { Block } from './views/block.tsx'
import { Blocks } from './views/blocks.tsx'
import { Clock } from './views/clock.tsx'
import { Codes } from './views/codes.tsx'
import { Contracts } from './views/contracts.tsx'
import { Debugger } from './views/debugger.tsx'
import { Enclaves } from './views/enclaves.tsx'
import { Faults } from './views/faults.tsx'
import { Games } from './views/games.tsx'
import { Home } from './views/home.tsx'
import { Pool } from './views/pool.tsx'
import { Proof } from './views/proof.tsx'
import { Proofs } from './views/proofs.tsx'
import { Requests } from './views/requests.tsx'
import { Search } from './views/search.tsx'
import { Subscriptions } from './views/subscriptions.tsx'
import { Transaction } from './views/transaction.tsx'
import { Transactions } from './views/transactions.tsx'

type View = FunctionComponent<{ id: string }>

interface TitledView {
  view: View
  title: string
}

/** What a dapp's developer opens all day: first part of the path → what it shows. */
const TABS: Record<string, TitledView> = {
  '': { view: Home, title: 'Home' },
  transactions: { view: Transactions, title: 'Transactions' },
  contracts: { view: Contracts, title: 'Contracts' },
  accounts: { view: Accounts, title: 'Accounts' },
}

/** The same, one step further away. */
const MORE: Record<string, TitledView> = {
  blocks: { view: Blocks, title: 'Blocks' },
  pool: { view: Pool, title: 'Pool' },
  codes: { view: Codes, title: 'Builder codes' },
  proofs: { view: Proofs, title: 'Proofs' },
  games: { view: Games, title: 'Games' },
  enclaves: { view: Enclaves, title: 'Enclaves' },
  actors: { view: Actors, title: 'Actors' },
  clock: { view: Clock, title: 'Clock' },
  faults: { view: Faults, title: 'Faults' },
  requests: { view: Requests, title: 'Requests' },
  subscriptions: { view: Subscriptions, title: 'Subscriptions' },
}

/** What links lead to. */
const OTHERS: Record<string, View> = {
  block: Block,
  tx: Transaction,
  debug: Debugger,
  address: Address,
  proof: Proof,
  search: Search,
}

function viewOf(name: string): View {
  for (const pages of [TABS, MORE]) if (Object.hasOwn(pages, name)) return pages[name]!.view
  return Object.hasOwn(OTHERS, name) ? OTHERS[name]! : NoSuchPage
}

export function App({ live }: { live: Live }) {
  const place = usePlace()
  return (
    <LiveContext.Provider value={live}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header place={place} />
      <Trouble />
      <LeftL1 />
      <Main place={place} />
    </LiveContext.Provider>
  )
}

function Header({ place }: { place: Place }) {
  const { devnet } = useDevnet()
  return (
    <header>
      <div class="bar">
        <p class="brand">
          <a href="/">rollbed</a>{' '}
          <span class="dim">
            chain {devnet.chainId}, profile {devnet.profile}
          </span>
        </p>
        <SearchField />
        <ThemeButton />
      </div>
      <nav aria-label="Pages">
        <ul>
          <PageLinks of={TABS} place={place} />
          <li>
            {/* Closed again once one has gone somewhere. */}
            <details key={place.parts.join('/')} class="more">
              <summary>More</summary>
              <ul>
                <PageLinks of={MORE} place={place} />
              </ul>
            </details>
          </li>
        </ul>
      </nav>
    </header>
  )
}

function PageLinks({ of, place }: { of: Record<string, TitledView>; place: Place }) {
  return (
    <>
      {Object.entries(of).map(([path, { title }]) => (
        <li key={path}>
          <a href={`/${path}`} aria-current={(place.parts[0] ?? '') === path ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </>
  )
}

function SearchField() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, select, textarea')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      field.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = new FormData(event.currentTarget).get('q')
          goTo(`/search?q=${encodeURIComponent(String(text).trim())}`)
        }}
      >
        <input
          ref={field}
          name="q"
          type="search"
          aria-label="Search a block, transaction, address, contract, function, account, page or builder code"
          aria-keyshortcuts="/"
          placeholder="Block, hash, name, function … (/)"
          required
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  )
}

const THEMES = ['system', 'light', 'dark']

function ThemeButton() {
  const [theme, setTheme] = useState(localStorage.getItem('theme') ?? 'system')
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    localStorage.setItem('theme', theme)
  }, [theme])
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
  return (
    <button type="button" onClick={() => setTheme(next)}>
      Colours: {theme}
    </button>
  )
}

function Trouble() {
  const { trouble } = useLive()
  return <div role="alert">{trouble.length > 0 && <p class="trouble">{trouble.join(' ')}</p>}</div>
}

/** Proofs and withdrawals wait for ever then, and nothing else on the page says why. */
function LeftL1() {
  const { divergence } = useLive()
  return <div role="status">{divergence && <p class="trouble">{divergence}</p>}</div>
}

function Main({ place }: { place: Place }) {
  const [name = '', id = ''] = place.parts
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const where = place.parts.join('/') + place.query
  // A reader of the screen hears where a link led to. Keys that are in a field stay there.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
    document.title = `${main.current?.querySelector('h1')?.textContent ?? ''} · rollbed devnet`
  }, [where])
  const View = viewOf(name)
  return (
    <main id="main" tabIndex={-1} ref={main}>
      <View key={where} id={id} />
    </main>
  )
}

function NoSuchPage() {
  return <h1>There is no such page</h1>
}
