import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hexToBytes } from '@ethereumjs/util'
import { AnvilProcess } from '../../devnet/l1/anvil-process.ts'
import type { Alloc, AllocAccount } from '../../enclave-sim/protocol/types/account.ts'
import type { Address, Hex } from '../../enclave-sim/protocol/types/bytes.ts'
import type { AnvilAccount } from '../differential/reference-anvil.ts'
import { SAMPLE_ENVIRONMENT, SAMPLE_STATE } from './sample-cases.ts'

/** anvil with the rules of L1 (revm, Prague), on the state of the samples. */
export class L1Anvil {
  readonly #process: AnvilProcess
  readonly #directory: string

  private constructor(process: AnvilProcess, directory: string) {
    this.#process = process
    this.#directory = directory
  }

  static async start(): Promise<L1Anvil> {
    const directory = mkdtempSync(join(tmpdir(), 'rollbed-state-tests-'))
    const init = join(directory, 'genesis.json')
    writeFileSync(init, JSON.stringify(genesisFile()))
    const process = new AnvilProcess({
      port: 0,
      chainId: 1,
      init,
      hardfork: 'prague',
      noMining: true,
      order: 'fifo',
      accounts: 0,
      disableDefaultCreate2Deployer: true,
    })
    const anvil = new L1Anvil(process, directory)
    try {
      await process.start()
    } catch (error) {
      await anvil.stop()
      throw error
    }
    return anvil
  }

  async stop(): Promise<void> {
    await this.#process.stop()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  async request<T>(method: string, params: unknown[] = []): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.#process.port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result: T; error?: unknown }
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }

  async accounts(): Promise<Record<Address, AnvilAccount>> {
    const dump = await this.request<Hex>('anvil_dumpState')
    const json = gunzipSync(hexToBytes(dump)).toString()
    return (JSON.parse(json) as { accounts: Record<Address, AnvilAccount> }).accounts
  }
}

/** An allocation as genesis files and state tests write it. */
export function allocFile(alloc: Alloc) {
  const accounts = Object.entries(alloc) as [Address, AllocAccount][]
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
    alloc: allocFile(SAMPLE_STATE),
  }
}

export function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}
