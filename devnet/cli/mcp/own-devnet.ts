import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { httpRpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import type { Devnet } from '#devnet/start-devnet'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { nameError } from './name-error.ts'

interface Branch {
  rpcUrl: string
}

/** The one devnet of an agent: on this machine alone, and nothing else is within its reach. */
export class OwnDevnet {
  #running: Devnet | undefined
  /** From the call of `start` on, so that there is never a second one, and none outlives its agent. */
  #starting: Promise<Devnet> | undefined
  #artifacts: string | undefined
  readonly #end = new AbortController()
  readonly #branches = new Map<string, Branch>()

  /** Aborted with the session: what judges the devnet goes no further. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  /** Ends the session, and its devnet with it. */
  async end(): Promise<void> {
    this.#end.abort()
    await this.stop()
  }

  /** @throws RollbedError DEVNET_RUNS, and those of `startDevnet` */
  async start(options: DevnetOptions): Promise<Devnet> {
    if (this.#starting) {
      throw new RollbedError('DEVNET_RUNS', 'The devnet of this session runs already.', {
        hint: 'Use it, or call stop first.',
      })
    }
    this.#starting = startQuietly(options)
    try {
      this.#running = await this.#starting
    } catch (error) {
      this.#starting = undefined
      throw error
    }
    this.#artifacts = options.artifacts
    return this.#running
  }

  /** @throws RollbedError NO_DEVNET */
  get running(): Devnet {
    if (this.#running) return this.#running
    throw new RollbedError('NO_DEVNET', 'No devnet runs in this session.', {
      hint: 'Call start first.',
    })
  }

  /** Folder of compiled contracts, where the devnet was given one. */
  get artifacts(): string | undefined {
    return this.#artifacts
  }

  get branches(): string[] {
    return [...this.#branches.keys()]
  }

  /** @throws RollbedError NO_DEVNET, NO_SUCH_BRANCH, RPC_REFUSED */
  async branch(block: string, on?: string): Promise<string> {
    const made = await this.ask('rollbed_branch', [block], on)
    const { id, rpcUrl } = made as Branch & { id: string }
    this.#branches.set(id, { rpcUrl })
    return id
  }

  /** @throws RollbedError NO_DEVNET */
  async dropBranch(id: string): Promise<boolean> {
    this.#branches.delete(id)
    return (await this.ask('rollbed_dropBranch', [id])) as boolean
  }

  /**
   * Asks the chain, or a branch of it, as a dapp would.
   * @param on id of a branch
   * @throws RollbedError NO_DEVNET, NO_SUCH_BRANCH, RPC_REFUSED
   */
  async ask(method: string, params: readonly unknown[], on?: string): Promise<unknown> {
    try {
      return await httpRpcClient(this.#urlOf(on)).request(method, params)
    } catch (error) {
      // An agent sees the message alone.
      if (!(error instanceof RpcRefused) || typeof error.data !== 'string') throw error
      const { message, data } = error
      const words = isHex(data) && data.length > 2 && (await nameError(data, this.#artifacts))
      throw new RollbedError('RPC_REFUSED', `${message} (${words || data})`, { cause: error })
    }
  }

  /** One of the ten funded accounts, 0 to 9. @throws RollbedError NO_DEVNET */
  account(index: number) {
    return privateKeyToAccount(this.running.description.accounts[index]!.privateKey)
  }

  async stop(): Promise<void> {
    // One that failed to start has stopped itself.
    const running = await this.#starting?.catch(() => undefined)
    this.#starting = undefined
    this.#running = undefined
    this.#branches.clear()
    await running?.stop()
  }

  #urlOf(on: string | undefined): string {
    const { rpcUrl } = this.running.description
    if (on === undefined) return asDappsSee(rpcUrl)
    const branch = this.#branches.get(on)
    if (branch) return asDappsSee(branch.rpcUrl)
    throw new RollbedError('NO_SUCH_BRANCH', `There is no branch ${on} in this session.`, {
      hint: `Branches that are there: ${this.branches.join(', ') || 'none'}.`,
    })
  }
}

async function startQuietly(options: DevnetOptions): Promise<Devnet> {
  const { startDevnet } = await import('#devnet/start-devnet')
  // The agent hears of what goes wrong by its tools, and nobody else listens.
  return await startDevnet({ ...options, host: '127.0.0.1', logLevel: 'silent' })
}

/** The path for people: what deployed nodes do. */
const asDappsSee = (rpcUrl: string) => `${rpcUrl.replace(/\/$/, '')}/base`
