/**
 * The sample dapp of `rollbed init next`: a tip jar on wagmi, and a test of its page. It is what
 * `suites/clients/sdk/playwright` plays without Next.js, and `npm run first-hour` with it.
 */
export const NEXT_FILES = {
  'app/chain.ts': `import { defineChain } from 'viem'

/** What \`npx rollbed up\` serves. On Base itself take \`base\` of viem/chains. */
export const chain = defineChain({
  id: 84538453,
  name: 'rollbed',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545/base'] } },
  testnet: true,
  blockTime: 2_000, // how often wagmi looks for a block: each second, and not each four
})
`,
  'app/layout.tsx': `import type { ReactNode } from 'react'
import { Providers } from './providers'

export const metadata = { title: 'Tip jar' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
`,
  'app/providers.tsx': `'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { chain } from './chain'

// No connector is named: wagmi finds the wallets that announce themselves (EIP-6963).
const config = createConfig({ chains: [chain], transports: { [chain.id]: http() }, ssr: true })

export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(() => new QueryClient())
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </WagmiProvider>
  )
}
`,
  'app/page.tsx': `'use client'

import { formatEther, parseEther } from 'viem'
import {
  useBalance,
  useBlockNumber,
  useConnect,
  useConnection,
  useConnectors,
  useSendTransaction,
  useTransactionReceipt,
} from 'wagmi'

const JAR = '0x00000000000000000000000000000000000071b5'

export default function TipJar() {
  const { isConnected } = useConnection()
  // At \`pending\` the jar is fuller as soon as a tip is pre-confirmed.
  const pending = { address: JAR, blockTag: 'pending', query: { refetchInterval: 200 } } as const
  const jar = useBalance(pending)
  return (
    <main>
      <h1>Tip jar</h1>
      {jar.data && <p>In the jar: {formatEther(jar.data.value)} ETH</p>}
      {isConnected ? <Tip /> : <Wallets />}
    </main>
  )
}

function Wallets() {
  const connectors = useConnectors()
  const { mutate: connect, error } = useConnect()
  return (
    <>
      {connectors.map((connector) => (
        <button key={connector.uid} type="button" onClick={() => connect({ connector })}>
          Connect {connector.name}
        </button>
      ))}
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}

function Tip() {
  const { mutate: send, data: hash, error } = useSendTransaction()
  // A pre-confirmation comes without a new block, so the receipt is asked for until it is there.
  const untilThere = { retry: true, retryDelay: 200, enabled: Boolean(hash) }
  const { data: receipt } = useTransactionReceipt({ hash, query: untilThere })
  const { data: head } = useBlockNumber({ watch: true })
  const isSealed = receipt && head !== undefined && head >= receipt.blockNumber
  return (
    <>
      <button type="button" onClick={() => send({ to: JAR, value: parseEther('0.01') })}>
        Tip 0.01 ETH
      </button>
      {receipt && (
        <output>
          {isSealed ? 'Sealed' : 'Pre-confirmed: it will stand'} in block{' '}
          {receipt.blockNumber.toString()}.
        </output>
      )}
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
`,
  'tip.spec.ts': `import { expect } from '@playwright/test'
import { test } from 'rollbed/playwright'

test('given a tip, then the page shows it before its block is sealed, and then the block', async ({
  page,
  pageWallet: _,
  chain,
  clock,
}) => {
  // What the page asks its usual devnet goes to the chain of this test.
  const [url] = chain.rpcUrls.default.http
  await page.route('http://127.0.0.1:8545/base', (route) => route.continue({ url }))
  await clock.pause() // no block is sealed until the test says so
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect rollbed' }).click()
  await page.getByRole('button', { name: 'Tip 0.01 ETH' }).click()
  await expect(page.getByText('Pre-confirmed: it will stand in block')).toBeVisible()
  await expect(page.getByText('In the jar: 0.01 ETH')).toBeVisible()
  await clock.seal()
  await expect(page.getByText(/^Sealed in block/)).toBeVisible()
})
`,
  'playwright.config.ts': `import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.spec.ts',
  use: { baseURL: 'http://localhost:3000' },
  webServer: { command: 'npx next dev', url: 'http://localhost:3000', reuseExistingServer: true },
})
`,
} as const
