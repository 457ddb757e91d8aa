import { type Mutant, mutantsOf } from '../mutant.ts'
import { answerInstead, rewriteParams } from '../rewrites.ts'

const INVALID = { error: { code: -32602, message: 'Invalid params' } }

const mutant = mutantsOf('selectors', 'rpc')

const tagMissing = (rule: string, tag: string) =>
  mutant(
    rule,
    `no-${tag}`,
    `Does not know the tag ${tag}`,
    answerInstead('eth_call', ([, selector]) => (selector === tag ? INVALID : undefined)),
  )

const swapTag = (from: string, to: string) =>
  rewriteParams('eth_getBlockByNumber', ([selector, ...rest]) => [
    selector === from ? to : selector,
    ...rest,
  ])

/** Mutants of block selectors. */
export const SELECTOR_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-SEL-01',
    'one-too-low',
    'Reads a height one too low',
    rewriteParams('eth_getBlockByNumber', ([selector, ...rest]) => [
      /^0x[1-9a-f]/.test(String(selector)) ? `0x${(Number(selector) - 1).toString(16)}` : selector,
      ...rest,
    ]),
  ),
  tagMissing('RPC-SEL-02', 'latest'),
  tagMissing('RPC-SEL-04', 'safe'),
  tagMissing('RPC-SEL-05', 'finalized'),
  tagMissing('RPC-SEL-06', 'earliest'),
  mutant(
    'RPC-SEL-03',
    'no-pending-storage',
    'eth_getStorageAt refuses pending',
    answerInstead('eth_getStorageAt', ([, , selector]) =>
      selector === 'pending' ? INVALID : undefined,
    ),
  ),
  mutant(
    'RPC-SEL-07',
    'to-block-numbers-only',
    'toBlock takes numbers only',
    answerInstead('eth_getLogs', ([filter]) => {
      const { toBlock } = (filter ?? {}) as { toBlock?: unknown }
      return toBlock === undefined || String(toBlock).startsWith('0x') ? undefined : INVALID
    }),
  ),
  mutant(
    'RPC-SEL-08',
    'unknown-is-latest',
    'Takes an unknown tag for latest',
    swapTag('newest', 'latest'),
  ),
  mutant('RPC-SEL-09', 'pending-is-latest', 'pending is latest', swapTag('pending', 'latest')),
  mutant('RPC-SEL-10', 'latest-is-pending', 'latest is pending', swapTag('latest', 'pending')),
  mutant('RPC-SEL-11', 'earliest-is-one', 'earliest is block 1', swapTag('earliest', '0x1')),
]
