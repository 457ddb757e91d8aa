import {
  concatHex,
  type Hex,
  hexToBigInt,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseSignature,
  toBytes,
  toHex,
  toRlp,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import type { TrackedRequests } from './tracked-requests.ts'

/** Nobody else sends with it on L2. */
const SENDER = 9
const WHO = `client.${SENDER}`
const FEE = 10_000_000_000n
const TIP = 1_000_000n
/** A contract that logs once a call, and what creates it; and what creates nothing. */
const LOGGER = '0x6560006000a0006000526006601af3'
const FAILS = '0xfe'
const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015'
/** Bytes: as much as one transaction may have, and so much that a batch takes more than one frame. */
const MOST_DATA = 120_000
const USUAL_DATA = 3_000
/** A thousand bytes that are not 0; and one more than EIP-3860 lets code have that creates. */
const FULL: Hex = `0x${'11'.repeat(1_000)}`
const TOO_LONG = new Uint8Array(49_153)
/** EIP-4844: KZG, and what nobody has. */
const A_BLOB: Hex = `0x01${'00'.repeat(31)}`

/** In RLP, where 0 has no bytes. */
const quantity = (value: bigint): Hex => (value === 0n ? '0x' : toHex(toBytes(value)))

interface Odd {
  type?: 'legacy' | 'eip2930' | 'eip1559' | 'eip4844' | 'eip7702'
  to: Hex | null
  value?: bigint
  gas: bigint
  data?: Hex
  /** Wei per gas; a tip is as much less as it usually is. */
  fee?: bigint
  tip?: bigint
  chainId?: number
  /** Slots of L1's attributes that are said to be read. */
  slots?: readonly Hex[]
  /** Keys whose accounts run a contract from now on, and which. */
  delegates?: readonly { key: Hex; contract: Hex }[]
}

/**
 * Sends what wallets rarely do: older types, access lists, creations that fail or are paid, much data, accounts
 * that delegate (EIP-7702), the next before the last, another of the same nonce, and what nobody may take.
 */
export class OddSender {
  readonly #world: World
  readonly #requests: TrackedRequests
  /** Its own: who loads beside it draws as without it. */
  readonly #rng: Rng
  /** What came later draws by itself. */
  readonly #more: Rng
  readonly #account: LocalAccount
  readonly #onTaken: (hash: Hex) => void
  #turn: Promise<unknown> = Promise.resolve()
  #delegated = 0
  /** Of its own creation. */
  #contract: Hex | undefined
  #creation: Hex | undefined

  /** @param onTaken told of each that was taken */
  constructor(world: World, requests: TrackedRequests, onTaken: (hash: Hex) => void) {
    this.#world = world
    this.#requests = requests
    this.#onTaken = onTaken
    this.#rng = seededRng(`odd ${world.facts.seed}`)
    this.#more = seededRng(`more odd ${world.facts.seed}`)
    this.#account = accountOf(world.facts.accounts[SENDER]!.privateKey)
  }

  /** One of them, after the last: each needs the nonce after it. */
  send(): Promise<unknown> {
    const sent = this.#turn.then(() => this.#send())
    this.#turn = sent
    return sent
  }

  async #send(): Promise<void> {
    const { address } = this.#account
    const { result, error } = await this.#ask('eth_getTransactionCount', [address, 'pending'])
    if (error) return
    const nonce = Number(result)
    await this.#look()
    const kinds = [
      () => this.#take(nonce, { type: 'legacy', ...this.#transfer() }),
      () => this.#take(nonce, { ...this.#transfer(), type: 'eip2930', slots: this.#slots() }),
      () => this.#create(nonce),
      () => this.#take(nonce, this.#withData()),
      () => this.#delegate(nonce),
      () => this.#outOfOrder(nonce),
      () => this.#replace(nonce),
      () => this.#invalid(nonce),
    ]
    await kinds[randomInt(this.#rng, kinds.length)]!()
  }

  #transfer(): Odd {
    const value = BigInt(1 + randomInt(this.#rng, 1_000))
    return { to: this.#world.facts.accounts[0]!.address, value, gas: 60_000n }
  }

  #slots(): Hex[] {
    const count = 1 + randomInt(this.#rng, 3)
    return Array.from({ length: count }, (_, slot) => numberToHex(slot, { size: 32 }))
  }

  #withData(): Odd {
    // A block of 200 ms has no room on L1 for more.
    const isRoomy = this.#world.rollupConfig.upgrades === undefined
    const most = randomInt(this.#rng, 12) === 0 && isRoomy ? MOST_DATA : USUAL_DATA
    const data = toHex(this.#rng.bytes(1 + randomInt(this.#rng, most)))
    // EIP-7623: forty for each byte, at most.
    return { ...this.#transfer(), data, gas: 21_000n + 20n * BigInt(data.length) }
  }

  /** A contract with nothing, one with ether, or none. */
  async #create(nonce: number): Promise<void> {
    const kind = randomInt(this.#rng, 3)
    const data = kind === 2 ? FAILS : LOGGER
    const hash = await this.#take(nonce, { to: null, data, gas: 200_000n, value: BigInt(kind) })
    if (kind === 0 && !this.#contract) this.#creation ??= hash
  }

  /** Whether its contract is there by now. */
  async #look(): Promise<void> {
    if (this.#contract || !this.#creation) return
    const asked = await this.#ask('eth_getTransactionReceipt', [this.#creation])
    const { contractAddress } = Object(asked.result) as { contractAddress?: Hex }
    this.#contract = contractAddress
  }

  /** An account that nobody ever used runs the contract, and is called at once. */
  async #delegate(nonce: number): Promise<void> {
    const contract = this.#contract
    if (!contract) return await this.#create(nonce)
    this.#delegated += 1
    const key = keccak256(toHex(`delegate ${this.#world.facts.seed} ${this.#delegated}`))
    const to = privateKeyToAccount(key).address
    const delegates = [{ key, contract }]
    await this.#take(nonce, { type: 'eip7702', to, delegates, gas: 120_000n, value: 3n })
  }

  async #outOfOrder(nonce: number): Promise<void> {
    await this.#take(nonce + 1, this.#transfer())
    await this.#take(nonce, this.#transfer())
  }

  /** What waits is replaced by what pays more, and not by what pays a little more. */
  async #replace(nonce: number): Promise<void> {
    await this.#take(nonce + 1, this.#transfer())
    const more = { fee: 2n * FEE, tip: 2n * TIP }
    const second = await this.#take(nonce + 1, { ...this.#transfer(), ...more })
    const [less, [just, enough]] = [105n, [110n, 200n]]
    const bids = [
      [less, less],
      [enough, less],
      [less, enough],
      [just, just],
    ] as const
    const [fee, tip] = bids[randomInt(this.#more, bids.length)]!
    const third = {
      ...this.#transfer(),
      ...{ fee: (more.fee * fee) / 100n, tip: (more.tip * tip) / 100n },
    }
    if (second && fee === just) await this.#take(nonce + 1, third, 'underpriced')
    else if (second) await this.#refuse(nonce + 1, third, 'pays too little')
    await this.#take(nonce, this.#transfer())
  }

  async #invalid(nonce: number): Promise<void> {
    const wrong: [string, Odd][] = [
      ['is of another chain', { ...this.#transfer(), chainId: 1 }],
      ['has too little gas', { ...this.#transfer(), gas: 20_999n }],
      ['moves more than there is', { ...this.#transfer(), value: 10n ** 30n }],
      [
        'is larger than a transaction may be',
        { ...this.#transfer(), data: `0x${'11'.repeat(140_000)}`, gas: 6_000_000n },
      ],
    ]
    const usual = wrong[randomInt(this.#rng, wrong.length)]!
    const others: typeof wrong = [
      ['tips more than it pays at most', { ...this.#transfer(), tip: FEE + 1n }],
      ['carries blobs', { ...this.#transfer(), type: 'eip4844' }],
      // EIP-7623: forty for each byte that is not 0, and EIP-2028 has sixteen.
      ['pays too little for its data', { ...this.#transfer(), data: FULL, gas: 40_000n }],
      ['creates by more code than may be', { to: null, data: toHex(TOO_LONG), gas: 5_000_000n }],
    ]
    const isUsual = randomInt(this.#more, 2) === 0
    const [why, odd] = isUsual ? usual : others[randomInt(this.#more, others.length)]!
    await this.#refuse(nonce, odd, why)
  }

  /**
   * @param unless why it may not be refused; others are not judged: what stands in the pool changes
   * @returns its hash, where it was taken
   */
  async #take(nonce: number, odd: Odd, unless?: string): Promise<Hex | undefined> {
    const raw = await this.#sign(nonce, odd)
    const hash = keccak256(raw)
    const { to, value = 0n, data = '0x', fee = FEE, slots, delegates } = odd
    // Before EIP-1559 all of the price that the base fee leaves is a tip.
    const isOld = odd.type === 'legacy' || odd.type === 'eip2930'
    const tip = isOld ? fee : (odd.tip ?? TIP)
    this.#world.recorder.record(WHO, 'transaction.signed', {
      ...{ hash, from: this.#account.address, to, nonce, value: numberToHex(value), input: data },
      ...{ maxFeePerGas: numberToHex(fee), maxPriorityFeePerGas: numberToHex(tip), raw },
      ...(slots && { slots: slots.length }),
      ...(delegates && {
        delegates: delegates.map(({ key, contract }) => ({
          ...{ authority: privateKeyToAccount(key).address, contract },
        })),
      }),
    })
    const { result, error } = await this.#ask('eth_sendRawTransaction', [raw])
    if (result) {
      this.#world.recorder.record(WHO, 'transaction.taken', { hash: result })
      this.#onTaken(hash)
    }
    if (unless && error?.message.includes(unless))
      this.#world.recorder.record(WHO, 'transaction.refused', { hash, why: error.message })
    return result ? hash : undefined
  }

  /** Nobody may take it. */
  async #refuse(nonce: number, odd: Odd, why: string): Promise<void> {
    const raw = await this.#sign(nonce, odd)
    const hash = keccak256(raw)
    this.#world.recorder.record(WHO, 'refusal.due', { hash, why })
    const { result } = await this.#ask('eth_sendRawTransaction', [raw])
    if (result) this.#world.recorder.record(WHO, 'transaction.taken', { hash })
  }

  async #sign(nonce: number, odd: Odd): Promise<Hex> {
    const { to, value = 0n, gas, data, fee = FEE, tip = TIP, slots, delegates } = odd
    const chainId = odd.chainId ?? this.#world.facts.chainId
    const common = { chainId, nonce, gas, value, ...(to && { to }), ...(data && { data }) }
    const isSet = { maxFeePerGas: fee, maxPriorityFeePerGas: tip }
    if (odd.type === 'legacy')
      return await this.#account.signTransaction({ ...common, type: 'legacy', gasPrice: fee })
    if (odd.type === 'eip2930') {
      const accessList = [{ address: L1_BLOCK, storageKeys: slots ?? [] }]
      const old = { type: 'eip2930', gasPrice: fee, accessList } as const
      return await this.#account.signTransaction({ ...common, ...old })
    }
    if (odd.type === 'eip4844') {
      const carried = { blobVersionedHashes: [A_BLOB], maxFeePerBlobGas: 1n, to: to! }
      return await this.#account.signTransaction({
        ...common,
        ...isSet,
        ...carried,
        type: 'eip4844',
      })
    }
    if (tip > fee) return await this.#signUnseen({ ...odd, chainId, gas, fee, tip }, nonce)
    if (!delegates)
      return await this.#account.signTransaction({ ...common, type: 'eip1559', ...isSet })
    const authorizationList = await Promise.all(
      delegates.map(({ key, contract }) =>
        privateKeyToAccount(key).signAuthorization({ chainId, address: contract, nonce: 0 }),
      ),
    )
    const delegating = { type: 'eip7702', ...isSet, authorizationList } as const
    return await this.#account.signTransaction({ ...common, ...delegating })
  }

  /** What no library puts into bytes. EIP-1559. */
  async #signUnseen(
    {
      chainId,
      tip,
      fee,
      gas,
      to,
      value = 0n,
      data = '0x',
    }: Required<Pick<Odd, 'chainId' | 'tip' | 'fee'>> & Odd,
    nonce: number,
  ): Promise<Hex> {
    const numbers = [chainId, nonce, tip, fee, gas].map((each) => quantity(BigInt(each)))
    const fields = [...numbers, to ?? '0x', quantity(value), data, []]
    const hash = keccak256(concatHex(['0x02', toRlp(fields as Hex[])]))
    const { r, s, yParity } = parseSignature(await this.#account.sign!({ hash }))
    const signed = [BigInt(yParity), hexToBigInt(r), hexToBigInt(s)].map(quantity)
    return concatHex(['0x02', toRlp([...fields, ...signed] as Hex[])])
  }

  #ask(method: string, params: unknown[]) {
    return this.#requests.rpc(WHO, 'l2', method, params)
  }
}
