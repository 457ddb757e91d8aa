import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  pad,
} from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { l1StandardBridgeAbi } from '#fixtures/contracts/L1StandardBridge.abi'
import { l2StandardBridgeAbi } from '#fixtures/contracts/L2StandardBridge.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { testTokenAbi } from '#fixtures/contracts/TestToken.abi'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { Asked, TrackedRequests } from './tracked-requests.ts'
import type { Sending } from './withdrawal.ts'

const WHO = 'bridger'
/** Sends on L1 while the weather lasts, and whose tokens go over. */
const SENDER = 8
const SUPPLY = 10n ** 24n
/** Wei per gas: more than L1 ever asks for. */
const MOST_FEE = 10_000_000_000_000n
/** OP specification, predeploys. */
const L2_BRIDGE: Hex = '0x4200000000000000000000000000000000000010'
const MIN_GAS = 200_000
const MOST_TOKENS = 1_000
const TAGS = ['latest', 'pending'] as const

/** How one account sends on L2, after what it sent before. */
type SendOnL2 = (what: () => Omit<Sending, 'to'> & { to?: Hex }) => Promise<Asked>

/** Sends tokens of L1 to L2 by the standard bridges, and back; every third withdrawal is of more than there is. */
export class TokenBridger {
  readonly #world: World
  readonly #requests: TrackedRequests
  readonly #send: SendOnL2
  /** Whose tokens are sent back. */
  readonly #holder: Hex
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  readonly #account: LocalAccount
  #turn: Promise<unknown> = Promise.resolve()
  #turns = 0
  #l1Token: Hex | undefined
  #l2Token: Hex | undefined

  /** @param send from the account of `holder`, on L2 */
  constructor(
    world: World,
    requests: TrackedRequests,
    { holder, send }: { holder: Hex; send: SendOnL2 },
  ) {
    this.#world = world
    this.#requests = requests
    this.#holder = holder
    this.#send = send
    this.#rng = seededRng(`tokens ${world.facts.seed}`)
    this.#account = accountOf(world.facts.accounts[SENDER]!.privateKey)
  }

  /** One thing after the other: a token on each layer first, then there and back. */
  next(): Promise<unknown> {
    const done = this.#turn.then(() => this.#next())
    this.#turn = done
    return done
  }

  async #next(): Promise<void> {
    if (!this.#l1Token) return await this.#createOnL1()
    if (!this.#l2Token) return await this.#createOnL2(this.#l1Token)
    this.#turns += 1
    await (this.#turns % 3 === 0 ? this.#withdraw(this.#l2Token) : this.#deposit())
    await this.#read(this.#l2Token)
  }

  async #createOnL1(): Promise<void> {
    const { bytecode } = loadContract('TestToken')
    const types = ['string', 'string', 'uint256'].map((type) => ({ type }))
    const made = encodeAbiParameters(types, ['Rain', 'RAIN', SUPPLY])
    const sent = await this.#sendOnL1({ data: concatHex([bytecode, made]), gas: 2_000_000n })
    if (!sent) return
    const l1Token = getContractAddress({ from: this.#account.address, nonce: BigInt(sent.nonce) })
    const args = [this.#bridge, SUPPLY] as const
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args })
    if (await this.#sendOnL1({ to: l1Token, data, gas: 100_000n })) this.#l1Token = l1Token
  }

  get #bridge(): Hex {
    return this.#world.facts.contracts.l1StandardBridge!
  }

  /** What stands for it there; the address is told before anybody can use it. */
  async #createOnL2(l1Token: Hex): Promise<void> {
    const { bytecode } = loadContract('OptimismMintableERC20')
    const types = ['address', 'address', 'string', 'string', 'uint8'].map((type) => ({ type }))
    const made = encodeAbiParameters(types, [L2_BRIDGE, l1Token, 'Rain', 'RAIN', 18])
    const data = concatHex([bytecode, made])
    const { result } = await this.#send(() => ({ data, value: 0n, gas: 2_000_000n }))
    if (!result) return
    const method = 'eth_getTransactionByHash'
    const found = await this.#requests.rpc(WHO, 'l2', method, [result])
    const { nonce } = Object(found.result) as { nonce?: Hex }
    if (nonce === undefined) return
    const l2Token = getContractAddress({ from: this.#holder, nonce: BigInt(nonce) })
    this.#l2Token = l2Token
    const messenger = this.#world.facts.contracts.l1CrossDomainMessenger
    const known = { l1Token, l2Token, l1Bridge: this.#bridge, l1Messenger: messenger }
    this.#world.recorder.record(WHO, 'token.known', known)
  }

  async #deposit(): Promise<void> {
    const to = this.#any([this.#holder, this.#world.facts.accounts[0]!.address])
    const data = encodeFunctionData({
      ...{ abi: l1StandardBridgeAbi, functionName: 'depositERC20To' },
      args: [this.#l1Token!, this.#l2Token!, to, this.#amount(), MIN_GAS, '0x'],
    })
    await this.#sendOnL1({ to: this.#bridge, data, gas: 700_000n })
  }

  async #withdraw(l2Token: Hex): Promise<void> {
    const amount = this.#turns % 9 === 0 ? SUPPLY : this.#amount()
    const data = encodeFunctionData({
      ...{ abi: l2StandardBridgeAbi, functionName: 'withdrawTo' },
      args: [l2Token, this.#world.facts.accounts[SENDER]!.address, amount, MIN_GAS, '0x'],
    })
    await this.#send(() => ({ to: L2_BRIDGE, data, value: 0n, gas: 500_000n }))
  }

  /** Of whoever has some. */
  async #read(address: Hex): Promise<void> {
    const of = this.#any([this.#holder, this.#world.facts.accounts[0]!.address])
    const input = concatHex(['0x70a08231', pad(of)])
    const at = this.#any(TAGS)
    const asked = this.#world.recorder.now()
    const call = { to: address, input }
    const { result } = await this.#requests.rpc(WHO, 'l2', 'eth_call', [call, at])
    // Where the token is not, nobody answers.
    if (result === undefined || result === '0x') return
    const seen = { kind: 'call', address, input, at, value: result, asked }
    this.#world.recorder.record(WHO, 'value.seen', seen)
  }

  #amount(): bigint {
    return BigInt(1 + randomInt(this.#rng, MOST_TOKENS))
  }

  #any<T>(all: readonly T[]): T {
    return all[randomInt(this.#rng, all.length)]!
  }

  async #sendOnL1(what: {
    to?: Hex
    data: Hex
    gas: bigint
  }): Promise<{ nonce: number } | undefined> {
    const asked = [this.#account.address, 'pending']
    const count = await this.#requests.rpc(WHO, 'l1', 'eth_getTransactionCount', asked)
    if (count.error) return undefined
    const nonce = Number(count.result)
    const raw = await this.#account.signTransaction({
      ...{ chainId: this.#world.facts.l1ChainId, type: 'eip1559', nonce, value: 0n, ...what },
      ...{ maxFeePerGas: MOST_FEE, maxPriorityFeePerGas: 1_000_000_000n },
    })
    const { result } = await this.#requests.rpc(WHO, 'l1', 'eth_sendRawTransaction', [raw])
    return result ? { nonce } : undefined
  }
}
