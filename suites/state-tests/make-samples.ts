import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { encode } from '@ethereumjs/rlp'
import { hexToBytes } from '@ethereumjs/util'
import { keccak256, recoverTransactionAddress } from 'viem'
import { AnvilProcess } from '../../devnet/l1/anvil-process.ts'
import type { Address, AllocAccount, Hash, Hex } from '../../enclave-sim/execution/types.ts'
import { canonicalRoot } from '../differential/canonical-root.ts'
import type { AnvilAccount, AnvilReceipt } from '../differential/reference-anvil.ts'
import { SAMPLE_CASES, SAMPLE_ENVIRONMENT, SAMPLE_STATE, type SampleCase } from './sample-cases.ts'

/** Of EIP-2935: anvil brings it along, a state test is without a block's system calls. */
const HISTORY_STORAGE: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'

/** Our own state tests, in the public format: anvil in L1 mode (revm, Prague) says what is right. */
export async function makeSamples(): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), 'rollbed-state-tests-'))
  const init = join(directory, 'genesis.json')
  writeFileSync(init, JSON.stringify(genesisFile()))
  const anvil = new AnvilProcess({
    port: 0,
    chainId: 1,
    init,
    hardfork: 'prague',
    noMining: true,
    accounts: 0,
    disableDefaultCreate2Deployer: true,
  })
  try {
    await anvil.start()
    const samples: Record<string, unknown> = {}
    for (const sample of SAMPLE_CASES) samples[sample.name] = await stateTest(anvil, sample)
    return samples
  } finally {
    await anvil.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function stateTest(anvil: AnvilProcess, sample: SampleCase) {
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
    pre: preState(),
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
async function mine(anvil: AnvilProcess, { name, raw, exception }: SampleCase) {
  const { baseFeePerGas, timestamp } = SAMPLE_ENVIRONMENT
  const snapshot = await request<Hex>(anvil, 'evm_snapshot')
  await request(anvil, 'anvil_setNextBlockBaseFeePerGas', [hex(baseFeePerGas)])
  await request(anvil, 'evm_setNextBlockTimestamp', [hex(timestamp + 1n)])
  await request(anvil, 'eth_sendRawTransaction', [raw]).catch(() => {})
  await request(anvil, 'evm_mine')
  const [receipt] = await request<AnvilReceipt[]>(anvil, 'eth_getBlockReceipts', ['latest'])
  if (Boolean(receipt) === Boolean(exception)) {
    throw new Error(`anvil ${receipt ? 'takes' : 'refuses'} ${name}.`)
  }
  const dump = await request<Hex>(anvil, 'anvil_dumpState')
  await request(anvil, 'evm_revert', [snapshot])
  const { accounts } = JSON.parse(gunzipSync(hexToBytes(dump)).toString()) as {
    accounts: Record<Address, AnvilAccount>
  }
  delete accounts[HISTORY_STORAGE]
  return { hash: await canonicalRoot(accounts), logs: logsHash(receipt?.logs ?? []) }
}

function logsHash(logs: AnvilReceipt['logs']): Hash {
  const fields = logs.map(({ address, topics, data }) => [
    hexToBytes(address),
    topics.map((topic) => hexToBytes(topic)),
    hexToBytes(data),
  ])
  return keccak256(encode(fields))
}

function preState() {
  const accounts = Object.entries(SAMPLE_STATE) as [Address, AllocAccount][]
  return Object.fromEntries(
    accounts.map(([address, { balance, nonce, code, storage }]) => [
      address,
      { balance: hex(balance!), nonce: hex(nonce!), code: code ?? '0x', storage: storage ?? {} },
    ]),
  )
}

function genesisFile() {
  const { feeRecipient, gasLimit, baseFeePerGas, timestamp } = SAMPLE_ENVIRONMENT
  return {
    config: { chainId: 1 },
    nonce: '0x0',
    timestamp: hex(timestamp),
    extraData: '0x',
    gasLimit: hex(gasLimit),
    difficulty: '0x0',
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: feeRecipient,
    baseFeePerGas: hex(baseFeePerGas),
    alloc: preState(),
  }
}

async function senderOf(raw: Hex): Promise<Address> {
  const serializedTransaction = raw as Parameters<
    typeof recoverTransactionAddress
  >[0]['serializedTransaction']
  const address = await recoverTransactionAddress({ serializedTransaction })
  return address.toLowerCase() as Address
}

async function request<T>(anvil: AnvilProcess, method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${anvil.port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: unknown }
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

// node suites/state-tests/make-samples.ts
if (import.meta.main) {
  const file = join(import.meta.dirname, 'samples.json')
  writeFileSync(file, `${JSON.stringify(await makeSamples(), null, 2)}\n`)
}
