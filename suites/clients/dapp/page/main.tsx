import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { rollbedChain } from 'rollbed/viem'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { TipJar } from './tip-jar.tsx'

const devnet = await (await fetch('/devnet.json')).json()
const chain = rollbedChain(devnet)
// No connector is named: wagmi finds the wallets that announce themselves (EIP-6963).
const config = createConfig({
  chains: [chain],
  // A page that asks again anyway says at once when nobody answers.
  transports: { [chain.id]: http(devnet.rpcUrl, { retryCount: 0 }) },
})
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })

createRoot(document.body).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={queries}>
      <TipJar apiUrl={devnet.apiUrl} />
    </QueryClientProvider>
  </WagmiProvider>,
)
