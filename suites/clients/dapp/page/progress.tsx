import { useQuery } from '@tanstack/react-query'
import type { Hash } from 'viem'
import { usePublicClient } from 'wagmi'
import { FLASHBLOCK } from './flashblock.ts'
import { stageOf } from './stage-of.ts'
import { Trouble } from './trouble.tsx'

const SENTENCES = {
  waiting: () => 'Sent: it waits for the next flashblock.',
  preconfirmed: (block?: bigint) => `Pre-confirmed: it will stand in block ${block}.`,
  sealed: (block?: bigint) => `Sealed in block ${block}.`,
  gone: () => 'The chain dropped your tip, and nothing was paid. Please send it again.',
}

/** How far a tip has come. A sealed one is watched, too: a reorganization may take its block away. */
export function Progress({ hash }: { hash: Hash }) {
  const client = usePublicClient()!
  const { data, error } = useQuery({
    queryKey: ['stage', hash],
    queryFn: () => stageOf(client, hash),
    refetchInterval: ({ state }) => state.data?.name !== 'gone' && FLASHBLOCK,
  })
  return (
    <>
      <output data-hash={hash}>{data && SENTENCES[data.name](data.block)}</output>
      <Trouble error={error} />
    </>
  )
}
