import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from '@ethereumjs/rlp'
import { hexToBytes } from '@ethereumjs/util'
import { keccak256, recoverTransactionAddress } from 'viem'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { canonicalRoot } from '../differential/canonical-root.ts'
import type { EngineReceipt } from '../differential/compare-block.ts'
import type { ReferenceAnvil } from '../differential/reference-anvil.ts'
import { SAMPLE_CASES, SAMPLE_ENVIRONMENT, SAMPLE_STATE, type SampleCase } from './sample-cases.ts'
import { allocFile, hex, startL1Anvil } from './start-l1-anvil.ts'

/** Of EIP-2935: anvil brings it along, a state test is without a block's system calls. */
const HISTORY_STORAGE: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'

/** Our own state tests, in the public format: anvil says what is right. */
export async function makeSamples(): Promise<Record<string, unknown>> {
  const anvil = await startL1Anvil()
  try {
    const samples: Record<string, unknown> = {}
    for (const sample of SAMPLE_CASES) samples[sample.name] = await stateTest(anvil, sample)
    return samples
  } finally {
    await anvil.stop()
  }
}

async function stateTest(anvil: ReferenceAnvil, sample: SampleCase) {
  const { feeRecipient, gasLimit, baseFeePerGas, timestamp } = SAMPLE_ENVIRONMENT
  const outcome = await mine(anvil, sample)
  return {
    env: {
      currentCoinbase: feeRecipient,
      currentGasLimit: hex(gasLimit),
      currentNumber: '0x1',
      currentTimestamp: hex(timestamp + 1n),
      currentBaseFee: hex(baseFeePerGas),
      currentExcessBlobGas: '0x0',
    },
    pre: allocFile(SAMPLE_STATE),
    transaction: { sender: await senderOf(sample.raw) },
    post: {
      Prague: [
        {
          ...outcome,
          txbytes: sample.raw,
          ...(sample.exception && { expectException: sample.exception }),
        },
      ],
    },
  }
}

/** @throws when anvil takes a transaction that should be refused, or the other way round */
async function mine(anvil: ReferenceAnvil, { name, raw, exception }: SampleCase) {
  const { baseFeePerGas, timestamp } = SAMPLE_ENVIRONMENT
  const snapshot = await anvil.request<Hex>('evm_snapshot')
  await anvil.request('anvil_setNextBlockBaseFeePerGas', [hex(baseFeePerGas)])
  await anvil.request('evm_setNextBlockTimestamp', [hex(timestamp + 1n)])
  await anvil.request('eth_sendRawTransaction', [raw]).catch(() => {})
  await anvil.request('evm_mine')
  const [receipt] = await anvil.request<EngineReceipt[]>('eth_getBlockReceipts', ['latest'])
  if (Boolean(receipt) === Boolean(exception)) {
    throw new Error(`anvil ${receipt ? 'takes' : 'refuses'} ${name}.`)
  }
  const accounts = await anvil.accounts()
  await anvil.request('evm_revert', [snapshot])
  delete accounts[HISTORY_STORAGE]
  return { hash: await canonicalRoot(accounts), logs: logsHash(receipt?.logs ?? []) }
}

function logsHash(logs: EngineReceipt['logs']): Hash {
  const fields = logs.map(({ address, topics, data }) => [
    hexToBytes(address),
    topics.map((topic) => hexToBytes(topic)),
    hexToBytes(data),
  ])
  return keccak256(encode(fields))
}

async function senderOf(raw: Hex): Promise<Address> {
  const serializedTransaction = raw as Parameters<
    typeof recoverTransactionAddress
  >[0]['serializedTransaction']
  const address = await recoverTransactionAddress({ serializedTransaction })
  return address.toLowerCase() as Address
}

// node suites/oracles/state-tests/make-samples.ts
if (import.meta.main) {
  const file = join(import.meta.dirname, 'samples.json')
  writeFileSync(file, `${JSON.stringify(await makeSamples(), null, 2)}\n`)
}
