import type { DatabaseSync } from 'node:sqlite'
import { type Address, keccak256 } from 'viem'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { randomBuilderCode } from '#devnet/builder-codes/builder-code'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { apiPart } from '#devnet/rollup/parts/api-part'
import { batcherPart } from '#devnet/rollup/parts/batcher-part'
import { seededRng } from '#protocol/random/rng'
import type { PlantedBug } from './planted-bug.ts'
import { withMembers } from './with-members.ts'

export const serviceBugs: readonly PlantedBug[] = [
  {
    name: 'loses-codes-on-a-crash',
    says: 'Codes are told before they are committed, four at a time.',
    breaks: 'codes-last',
    plant: () => ({
      openCodeRegistry(where, rng, onOpen) {
        let database: DatabaseSync | undefined
        // Past who counts what was written.
        const path = typeof where === 'string' ? where : where.path
        if (typeof where !== 'string') where.close()
        const registry = openCodeRegistry(path, rng, (opened) => {
          database = opened
          onOpen?.(opened)
          // Nor does anybody keep what its tables are made as.
          opened.exec('PRAGMA application_id = 0; BEGIN')
        })
        let uncommitted = 0
        return withMembers(registry, {
          register(wallet) {
            const registration = registry.register(wallet)
            uncommitted += registration.created ? 1 : 0
            if (uncommitted === 4) {
              database?.exec('COMMIT; BEGIN')
              uncommitted = 0
            }
            return registration
          },
        })
      },
    }),
  },
  {
    name: 'tells-codes-it-could-not-store',
    says: 'When the disk refuses a code, the caller is told it all the same.',
    breaks: 'codes-last',
    plant: () => ({
      openCodeRegistry(path, rng, onOpen) {
        const registry = openCodeRegistry(path, rng, onOpen)
        const unstored = seededRng('codes that nobody stored')
        return withMembers(registry, {
          register(wallet) {
            try {
              return registry.register(wallet)
            } catch {
              const builderCode = randomBuilderCode(unstored)
              return { builderCode, walletAddress: wallet, created: true }
            }
          },
        })
      },
    }),
  },
  {
    name: 'tells-wallets-apart-by-their-letters',
    says: 'API and registry keep a wallet as it is spelled: in capital letters it has another code.',
    breaks: 'codes-last',
    plant: () => ({
      api: {
        ...apiPart,
        start(context, given) {
          let spelled = ''
          const register = () => given.registry.register(spelled as Address)
          const registry = withMembers(given.registry, { register })
          const api = apiPart.start(context, { ...given, registry })
          api.addHook('preHandler', async ({ body }) => {
            spelled = (body as { walletAddress: string }).walletAddress
          })
          return api
        },
      },
      openCodeRegistry(path, rng, onOpen) {
        const registry = openCodeRegistry(path, rng, onOpen)
        return withMembers(registry, {
          register(wallet) {
            const isLoud = wallet !== wallet.toLowerCase()
            const key = isLoud ? keccak256(wallet).slice(0, 42) : wallet
            return { ...registry.register(key as Address), walletAddress: wallet }
          },
        })
      },
    }),
  },
  {
    name: 'does-not-wait-for-the-disk',
    says: 'Codes are told before the disk was told to finish writing them.',
    breaks: 'damage-is-named',
    plant: () => ({
      openCodeRegistry: (where, rng, onOpen) =>
        openCodeRegistry(where, rng, (opened) => {
          opened.exec('PRAGMA synchronous = NORMAL')
          onOpen?.(opened)
        }),
    }),
  },
  {
    name: 'reuses-a-nonce-after-a-reorg',
    says: 'The batcher counts its nonces itself, and after a reorganisation counts from too low.',
    breaks: 'works-again',
    plant: () => ({
      batcher: {
        ...batcherPart,
        start(context, given) {
          const l1 = countingNonces(rpcClientOf(context.links['batcher-l1']))
          return batcherPart.start({ ...context, links: { 'batcher-l1': l1 } }, given)
        },
      },
    }),
  },
]

function countingNonces(rpc: RpcClient): RpcClient {
  let known: { number: string; hash: string } | undefined
  let isReorged = false
  return {
    async request(method, params, signal) {
      const answer = await rpc.request(method, params, signal)
      const [, tag] = (params ?? []) as unknown[]
      if (method !== 'eth_getTransactionCount' || tag !== 'pending') return answer
      const block = async (number: string) =>
        (await rpc.request('eth_getBlockByNumber', [number, false], signal)) as typeof known | null
      if (known && (await block(known.number))?.hash !== known.hash) isReorged = true
      known = (await block('latest')) ?? known
      return isReorged ? `0x${Math.max(0, Number(answer) - 1).toString(16)}` : answer
    },
  }
}
