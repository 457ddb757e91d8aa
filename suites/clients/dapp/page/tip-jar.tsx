import { useMutation } from '@tanstack/react-query'
import { builderCodeClient, builderCodeSuffix } from 'rollbed/viem'
import { formatEther, parseEther } from 'viem'
import { useBalance, useConnect, useConnection, useConnectors, useSendTransaction } from 'wagmi'
import { FLASHBLOCK } from './flashblock.ts'
import { Progress } from './progress.tsx'
import { Trouble } from './trouble.tsx'

const JAR = '0x00000000000000000000000000000000000071b5'
const TIP = parseEther('0.01')

export function TipJar({ apiUrl }: { apiUrl: string }) {
  const { address, isConnected } = useConnection()
  return (
    <main>
      <h1>Tip jar</h1>
      {isConnected && address ? <Tips apiUrl={apiUrl} address={address} /> : <Wallets />}
    </main>
  )
}

function Wallets() {
  const connectors = useConnectors()
  const { connect, isPending, error } = useConnect()
  return (
    <>
      {connectors.map((connector) => (
        <button
          key={connector.uid}
          type="button"
          disabled={isPending}
          onClick={() => connect({ connector })}
        >
          Connect {connector.name}
        </button>
      ))}
      <Trouble error={error} />
    </>
  )
}

function Tips({ apiUrl, address }: { apiUrl: string; address: `0x${string}` }) {
  const code = useMutation({ mutationFn: () => builderCodeClient(apiUrl).register(address) })
  const tip = useSendTransaction()
  // At `pending` the jar is fuller as soon as a tip is pre-confirmed.
  const jar = useBalance({
    address: JAR,
    blockTag: 'pending',
    query: { refetchInterval: FLASHBLOCK },
  })
  const builderCode = code.data?.builderCode

  return (
    <>
      <p>You are {address}.</p>
      {jar.data && <p>In the jar: {formatEther(jar.data.value)} ETH</p>}
      <p>
        {builderCode ? (
          `Tips credit ${builderCode}.`
        ) : (
          <button type="button" disabled={code.isPending} onClick={() => code.mutate()}>
            Get a builder code
          </button>
        )}
      </p>
      <Trouble error={code.error} />
      <button
        type="button"
        disabled={tip.isPending}
        onClick={() =>
          tip.sendTransaction({
            to: JAR,
            value: TIP,
            ...(builderCode && { dataSuffix: builderCodeSuffix(builderCode) }),
          })
        }
      >
        Tip 0.01 ETH
      </button>
      <Trouble error={tip.error} />
      {tip.data && <Progress key={tip.data} hash={tip.data} />}
    </>
  )
}
