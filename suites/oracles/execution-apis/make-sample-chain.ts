import { decode, encode } from '@ethereumjs/rlp'
import { bigIntToUnpaddedBytes, hexToBytes } from '@ethereumjs/util'
import type { Hex } from '#protocol/types/bytes'
import { HEADER_FIELDS, HEADER_QUANTITIES } from '#suites/gate/conformance/spec/header-fields'
import { canonicalRoot } from '../differential/canonical-root.ts'
import type { AnvilAccount } from '../differential/reference-anvil.ts'
import { signAuthorization, signTransaction } from '../differential/sign.ts'
import {
  AUTHORITY,
  authority,
  CLEARER,
  REVERTER,
  SENDER,
  WRITER,
  word,
} from '../state-tests/sample-cases.ts'
import { startL1Anvil } from '../state-tests/start-l1-anvil.ts'

export interface SampleChain {
  genesis: unknown
  /** The fields of the header of block 1. */
  header: Record<(typeof HEADER_FIELDS)[number], Hex>
  transactions: Hex[]
}

/**
 * A genesis and one Prague block in the form of the public chain, made by anvil. Its state root is
 * made anew from anvil's accounts, because anvil's own trie keeps zero slots.
 */
export async function makeSampleChain(): Promise<SampleChain> {
  const anvil = await startL1Anvil()
  try {
    const genesis = genesisFile(await anvil.accounts())
    const transactions = sampleTransactions()
    for (const raw of transactions) await anvil.request('eth_sendRawTransaction', [raw])
    await anvil.request('evm_mine')
    const header = await anvil.request<SampleChain['header'] & { transactions: Hex[] }>(
      'eth_getBlockByNumber',
      ['latest', false],
    )
    if (header.transactions.length !== transactions.length)
      throw new Error('anvil leaves some out.')
    const stateRoot = await canonicalRoot(await anvil.accounts())
    return { genesis, header: { ...header, stateRoot }, transactions }
  } finally {
    await anvil.stop()
  }
}

/** The chain file: RLP of header, transactions, no uncles, no withdrawals. */
export function encodeSampleChain({ header, transactions }: SampleChain): Uint8Array {
  const fields = HEADER_FIELDS.map((name) =>
    HEADER_QUANTITIES.has(name)
      ? bigIntToUnpaddedBytes(BigInt(header[name]))
      : hexToBytes(header[name]),
  )
  const body = transactions.map((raw) => {
    const bytes = hexToBytes(raw)
    return bytes[0]! >= 0xc0 ? decode(bytes) : bytes
  })
  return encode([fields, body, [], []])
}

function genesisFile(accounts: Record<Hex, AnvilAccount>) {
  const alloc = Object.entries(accounts).map(([address, account]) => [
    address,
    { ...account, nonce: `0x${account.nonce.toString(16)}` },
  ])
  return { config: { chainId: 1, pragueTime: 0 }, alloc: Object.fromEntries(alloc) }
}

/** One of each type, and one that fails. */
function sampleTransactions(): Hex[] {
  const base = { chainId: 1, gas: 200_000n, maxFeePerGas: 20n, maxPriorityFeePerGas: 2n }
  const legacy = { type: 'legacy', gas: 100_000n, gasPrice: 9n } as const
  const accessList = [{ address: WRITER, storageKeys: [word(1)] }]
  const authorization = { chainId: 1, address: WRITER, nonce: 0 }
  return [
    { ...legacy, to: WRITER, data: word(7) },
    { ...legacy, chainId: 1, type: 'eip2930' as const, to: WRITER, data: word(0), accessList },
    { ...base, type: 'eip1559' as const, to: CLEARER },
    { ...base, type: 'eip1559' as const, to: REVERTER },
    {
      ...base,
      type: 'eip7702' as const,
      to: authority,
      data: word(5),
      authorizationList: [signAuthorization(AUTHORITY, authorization)],
    },
  ].map((transaction, index) => signTransaction(SENDER, { ...transaction, nonce: 3 + index }))
}
