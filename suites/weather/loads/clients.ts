import { type Address, type Hex, keccak256, type LocalAccount, numberToHex } from 'viem'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { FAST_FACTOR } from '#devnet/l1/deploy-proof-contracts'
import type { Subscriber, World } from '#devnet/rollup/world/world'
import { accountOf } from '#devnet/sdk/scene/account-of'
import { sleep } from '#protocol/clock/clock'
import { type Rng, randomInt, seededRng } from '#protocol/random/rng'
import { firstFastBlock } from '#protocol/upgrades/block-times'
import { paceOf } from '../pace-of.ts'
import { ChainReader } from './chain-reader.ts'
import { Confirmer } from './confirmer.ts'
import { Depositor } from './depositor.ts'
import { FactReader } from './fact-reader.ts'
import { GameWatcher } from './game-watcher.ts'
import { GapFiller } from './gap-filler.ts'
import { lieOnL1 } from './lie-on-l1.ts'
import { listen } from './listen.ts'
import { Observer } from './observer.ts'
import { OddRegistrar } from './odd-registrar.ts'
import { OddSender } from './odd-sender.ts'
import { PageReader } from './page-reader.ts'
import { ProofClients } from './proof-clients.ts'
import { signersAgree } from './signers-agree.ts'
import { StrayPoster } from './stray-poster.ts'
import { strikeOff } from './strike-off.ts'
import { TokenBridger } from './token-bridger.ts'
import { TrackedRequests } from './tracked-requests.ts'
import { ValueReader } from './value-reader.ts'
import { type Sending, withdrawal } from './withdrawal.ts'
import { Withdrawer } from './withdrawer.ts'

/** Milliseconds between two looks at the chain. */
const LOOK_EVERY = 400
const MINUTE = 60_000
/** Wallets that ask for codes: few, so that most ask again. */
const WALLETS = 40
/** In a minute, however many register. */
const MOST_ODD = 60
const GAS_PRICE = numberToHex(10_000_000_000n)
const TIP = 1_000_000n

/** A contract that logs once a call, and the code that puts it there. */
const LOGGER = '0x6560006000a0006000526006601af3'

/** Counts 65,535 down, which takes some milliseconds, and returns 42. */
const COUNTER = '0x61ffff5b6001900380600357602a5f5260205ff3'
const COUNTED = numberToHex(42, { size: 32 })

/** Its account withdraws, and the tests of how it went send with it. */
const WITHDRAWS = 7
/** Who sends at once, and tips between which each draws. */
const IN_A_RUSH = [1, 2, 3, 4, 5, 6]
const MOST_TIPS = 50
/** Of half a second, until what was taken is safe. */
const MOST_LOOKS = 120
/** Blocks that are read another time at the end: some were on a disk meanwhile. */
const READ_AGAIN = 12

/** Without an address it creates. */
type Unaddressed = Omit<Sending, 'to'> & { to?: Address }

/** What clients do in a world while it rains, and what they try after it. */
export class Clients {
  readonly #world: World
  readonly #requests: TrackedRequests
  readonly #observer: Observer
  readonly #proofs: ProofClients
  readonly #games: GameWatcher
  readonly #reader: ChainReader
  readonly #depositor: Depositor
  readonly #gaps: GapFiller
  readonly #strays: StrayPoster
  readonly #values: ValueReader
  readonly #facts: FactReader
  readonly #odd: OddSender
  readonly #oddRegistrar: OddRegistrar
  readonly #confirmer: Confirmer
  readonly #pages: PageReader
  readonly #bridger: TokenBridger
  /** Its own: who loads beside it draws as without it. */
  readonly #tips: Rng
  readonly #pace: number
  /** Who has a code by now. */
  readonly #registered = new Set<string>()
  readonly #work: Promise<void>[] = []
  readonly #subscribers: Subscriber[] = []
  /** Each client sends from its own account, one transaction after the other. */
  readonly #turns = new Map<number, Promise<unknown>>()
  readonly #sent: Hex[] = []
  #logger: Hex | undefined
  #hasLied = false
  /** The newest block that was final once the weather was over. */
  #finalThen: number | undefined
  #spellings = 0
  #isOver = false

  constructor(world: World) {
    this.#world = world
    this.#requests = new TrackedRequests(world)
    this.#observer = new Observer(world, this.#requests)
    this.#proofs = new ProofClients(world, this.#requests)
    this.#games = new GameWatcher(world, this.#requests)
    this.#reader = new ChainReader(world, this.#requests)
    this.#depositor = new Depositor(world, this.#requests)
    this.#gaps = new GapFiller(world, this.#requests)
    this.#strays = new StrayPoster(world, this.#requests)
    this.#odd = new OddSender(world, this.#requests, (hash) => this.#sent.push(hash))
    this.#values = new ValueReader(world, this.#requests, () => this.#sent)
    this.#facts = new FactReader(world, this.#requests, () => this.#sent)
    this.#oddRegistrar = new OddRegistrar(world, this.#requests)
    this.#confirmer = new Confirmer(world, this.#requests)
    this.#pages = new PageReader(world, this.#requests, () => this.#sent)
    this.#bridger = new TokenBridger(world, this.#requests, {
      holder: world.facts.accounts[WITHDRAWS]!.address,
      send: (what) => this.#send(WITHDRAWS, what),
    })
    this.#tips = seededRng(`tips ${world.facts.seed}`)
    this.#pace = paceOf(world)
  }

  /** Begins the load; it goes on until `stop`. */
  start(load: FaultPlan['load']): void {
    if (load.tokens > 0 || load.subscribers + load.idleSubscribers > 0) {
      this.#work.push(this.#deployLogger())
    }
    this.#every(LOOK_EVERY * this.#pace, () => this.#observer.look())
    this.#every(2 * LOOK_EVERY * this.#pace, () => this.#reader.look())
    if (this.#world.facts.enclaves.length > 0) {
      this.#every(2_000 * this.#pace, () => this.#observer.health())
      this.#every(2_000 * this.#pace, () => this.#games.look())
    }
    if (load.falseGames > 0) this.#work.push(this.#lie())
    if (load.strikes > 0 && this.#world.facts.enclaves.length > 0) this.#work.push(this.#strike())
    this.#perMinute(load.transfers, (index) => this.#send(1 + (index % 3), this.#transfer))
    this.#perMinute(load.tokens, (index) => this.#send(4 + (index % 3), this.#token))
    this.#perMinute(load.withdrawals, (index) => this.#send(WITHDRAWS, () => withdrawal(index)))
    this.#perMinute(load.oddities, () => this.#odd.send())
    this.#perMinute(load.deposits, () => this.#depositor.deposit())
    // Tokens go over from the same account.
    if (load.bridged === 0) this.#perMinute(load.deposits / 4, () => this.#gaps.next())
    this.#perMinute(load.bridged, () => this.#bridger.next())
    this.#perMinute(load.strays, () => this.#strays.post())
    this.#perMinute(load.rushes, () => this.#rush())
    this.#perMinute(load.confirmations, () => this.#confirmer.send())
    this.#perMinute(load.pages, () => this.#pages.read())
    this.#perMinute(load.calls, (index) => this.#values.read(index))
    this.#perMinute(load.calls / 3, () => this.#facts.read())
    this.#perMinute(load.longCalls, () => this.#callLong())
    this.#perMinute(load.registrations, () => this.#register())
    this.#perMinute(Math.min(load.registrations, MOST_ODD) / 4, () => this.#oddRegistrar.ask())
    this.#perMinute(load.proofs, (index) => this.#proofs.ask(index))
    for (let index = 0; index < load.subscribers; index++) this.#subscribe(index, false)
    for (let index = 0; index < load.listeners; index++) {
      this.#work.push(listen(this.#world, `listener.${index}`, this.#requests.signal))
    }
    for (let index = 0; index < load.idleSubscribers; index++) {
      this.#subscribe(load.subscribers + index, true)
    }
  }

  /** Who asks in the moment without keys sees whether the host remembers what the registry said. */
  async #strike(): Promise<void> {
    const ask = () => this.#proofs.prove(true)
    await strikeOff(this.#world, this.#requests.signal, ask)
  }

  /** Resolves when nobody asks for anything any more. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#requests.drain()
    this.leave()
    await Promise.all(this.#work)
  }

  /** At once, whatever they still wait for. */
  leave(): void {
    this.#isOver = true
    this.#requests.stop()
    this.#world.recorder.record('clients', 'left')
    for (const subscriber of this.#subscribers) subscriber.close()
  }

  /** Tries everything, each until it works, and tells the recorder how that went. */
  async probe({ load, world }: FaultPlan, limit: number): Promise<void> {
    const { facts, recorder } = this.#world
    recorder.record('weather', 'weather.over')
    if (load.calls > 0) {
      // What was told wrongly before may be true to what was made: who judges needs the block, too.
      await this.#values.proveAll()
      await this.#reader.look()
    }
    const probes: [string, () => Promise<Error | undefined>][] = [
      ['a read', async () => (await this.#requests.rpc('probe', 'l2', 'eth_chainId', [])).error],
      ['a transaction', () => this.#sendAndWait()],
      ['a builder code', () => this.#register()],
      ['every builder code', () => this.#registerAgain()],
      ['the safe head', () => this.#safeGoesOn()],
      ['a safe transaction', () => this.#sendUntilSafe()],
    ]
    if (load.deposits > 0) probes.push(['a deposit', () => this.#depositor.arrives()])
    if (facts.enclaves.length > 0 && load.proofs > 0) {
      probes.push(['a proof', () => this.#proofs.prove(true)])
    }
    if (load.longCalls > 0) probes.push(['a long call', () => this.#callLong()])
    // Without a registrar nobody strikes off what has died.
    const hasRegistrar = this.#world.kind === 'simulated' || world.actors === true
    if (facts.enclaves.length > 0 && hasRegistrar)
      probes.push(['the signers', () => signersAgree(this.#world, this.#requests)])
    const { gameInterval, upgrades } = world
    // With the first lie the verifier goes, and with it all games.
    if (gameInterval !== undefined && load.falseGames === 0)
      probes.push(['the next game', () => this.#gamesFollow(gameInterval)])
    if (load.falseGames > 0) probes.push(['a game', () => this.#nobodyIsDeceived()])
    await Promise.all(probes.map(([name, run]) => this.#untilWell(name, run, limit)))
    if (load.calls > 0) await this.#facts.readAgain(READ_AGAIN)
    if (load.calls > 0) await this.#facts.drops()
    // For this L1's time jumps by days: L2 must not have to fill them with empty blocks.
    const isSettled =
      gameInterval && !upgrades && load.falseGames === 0 && world.sequencerWindow === undefined
    if (isSettled && load.withdrawals > 0) {
      const withdrawer = new Withdrawer(this.#world, this.#requests, this.#games)
      await this.#untilWell('a payment', () => withdrawer.settle(), 0)
      await this.#reader.look()
    }
  }

  async #untilWell(
    probe: string,
    run: () => Promise<Error | undefined>,
    limit: number,
  ): Promise<void> {
    const { clock, recorder } = this.#world
    const began = clock.now()
    let problem = await run()
    while (problem && clock.now() - began < limit) {
      await sleep(clock, 500 * this.#pace)
      problem = await run()
    }
    recorder.record('probe', 'probe.done', {
      ...{ probe, limit, isWell: problem === undefined },
      ms: clock.now() - began,
      ...(problem && { problem: problem.message }),
    })
  }

  async #sendAndWait(): Promise<Error | undefined> {
    const { result, error } = await this.#send(WITHDRAWS, this.#transfer)
    if (error) return error
    for (let look = 0; look < 40; look++) {
      const receipt = await this.#requests.rpc('probe', 'l2', 'eth_getTransactionReceipt', [result])
      if (receipt.result) return undefined
      await sleep(this.#world.clock, 250 * this.#pace)
    }
    return new Error('It was taken and never became part of a block.')
  }

  /** L1 has it: a safe head of empty blocks is none that anybody can use. */
  async #sendUntilSafe(): Promise<Error | undefined> {
    const { result, error } = await this.#send(WITHDRAWS, this.#transfer)
    if (error) return error
    const ask = (method: string, ...params: unknown[]) =>
      this.#requests.rpc('probe', 'l2', method, params)
    for (let look = 0; look < MOST_LOOKS; look++) {
      const [receipt, safe] = await Promise.all([
        ask('eth_getTransactionReceipt', result),
        ask('eth_getBlockByNumber', 'safe', false),
      ])
      const [{ blockNumber = Infinity }, { number = 0 }] = [receipt, safe].map((each) =>
        Object(each.result),
      ) as [{ blockNumber?: string }, { number?: string }]
      if (Number(blockNumber) <= Number(number)) return undefined
      await sleep(this.#world.clock, 500 * this.#pace)
    }
    return new Error('It was taken and never became safe.')
  }

  async #safeGoesOn(): Promise<Error | undefined> {
    const look = async () => {
      const { result, error } = await this.#requests.rpc('probe', 'l2', 'eth_getBlockByNumber', [
        'safe',
        false,
      ])
      if (error) throw error
      return Number((result as { number: string }).number)
    }
    try {
      const before = await look()
      for (let times = 0; times < 40; times++) {
        if ((await look()) > before) return undefined
        await sleep(this.#world.clock, 500 * this.#pace)
      }
      return new Error(`It stands at block ${before}.`)
    } catch (error) {
      return error as Error
    }
  }

  /** A call whose contract is given with it runs in a worker thread. */
  async #callLong(): Promise<Error | undefined> {
    const to = numberToHex(0xc0de, { size: 20 })
    const params = [{ to }, 'latest', { [to]: { code: COUNTER } }]
    const { result, error } = await this.#requests.rpc('client.8', 'l2', 'eth_call', params)
    if (error) return error
    return result === COUNTED ? undefined : new Error(`It answered ${JSON.stringify(result)}.`)
  }

  #lie(): Promise<void> {
    return lieOnL1(this.#world, this.#requests.signal, {
      onTurn: () => {
        this.#hasLied = true
      },
      onIrrefutable: (game) => this.#games.excuse(game),
    })
  }

  /** Each false claim has lost its proof, and the liar had his turn: what hindered him is over, too. */
  async #nobodyIsDeceived(): Promise<Error | undefined> {
    if (!this.#hasLied) return new Error('Whoever lies had no turn yet.')
    const problem = await this.#games.look()
    if (problem) return problem
    return this.#games.isDeceived ? new Error('A false claim still has its proof.') : undefined
  }

  /** What was final with the first look is claimed: more is not waited for, where a clock jumped. */
  async #gamesFollow(slow: number): Promise<Error | undefined> {
    const asked = ['finalized', false]
    const final = await this.#requests.rpc('probe', 'l2', 'eth_getBlockByNumber', asked)
    const problem = final.error ?? (await this.#games.look())
    if (problem) return problem
    const { number } = final.result as { number: string }
    const { newest } = this.#games
    const isFast = newest >= (firstFastBlock(this.#world.rollupConfig) ?? Number.POSITIVE_INFINITY)
    const interval = isFast ? Number(FAST_FACTOR) * slow : slow
    const next = newest + interval
    this.#finalThen ??= Number(number)
    if (next > this.#finalThen) return undefined
    return new Error(`Block ${Number(number)} is final, and nobody claims block ${next}.`)
  }

  #perMinute(count: number, run: (index: number) => Promise<unknown>): void {
    let index = 0
    if (count > 0) this.#every(MINUTE / count, () => run(index++), true)
  }

  /** @param isImpatient the next begins even while the last still waits for its answer */
  #every(pause: number, run: () => Promise<unknown>, isImpatient = false): void {
    const loop = async () => {
      const open = new Set<Promise<unknown>>()
      while (!this.#isOver) {
        const running = run()
        open.add(running)
        running.finally(() => open.delete(running))
        if (!isImpatient || open.size > 50) await running
        await sleep(this.#world.clock, pause, this.#requests.signal).catch(() => {})
      }
      await Promise.all(open)
    }
    this.#work.push(loop())
  }

  readonly #transfer = (): Sending => ({
    to: this.#world.facts.accounts[0]!.address,
    ...this.#someEther(),
  })

  #rush(): Promise<unknown> {
    const tip = () => TIP * BigInt(1 + randomInt(this.#tips, MOST_TIPS))
    const sending = IN_A_RUSH.map((client) =>
      this.#send(client, () => ({
        ...{ to: this.#world.facts.accounts[0]!.address, value: 1n, gas: 60_000n, tip: tip() },
      })),
    )
    return Promise.all(sending)
  }

  readonly #token = (client: number): Sending => ({
    to: this.#logger ?? this.#account(client).address,
    ...this.#someEther(),
  })

  #someEther() {
    return { gas: 60_000n, value: BigInt(1 + randomInt(this.#world.rng, 1_000)) }
  }

  #send(client: number, what: (client: number) => Unaddressed) {
    const last = this.#turns.get(client) ?? Promise.resolve()
    const sent = last.then(() => this.#sendNow(client, what))
    this.#turns.set(client, sent)
    return sent
  }

  #account(client: number): LocalAccount {
    return accountOf(this.#world.facts.accounts[client]!.privateKey)
  }

  async #sendNow(client: number, what: (client: number) => Unaddressed) {
    const { recorder } = this.#world
    const who = `client.${client}`
    const account = this.#account(client)
    const { address } = account
    const count = await this.#requests.rpc(who, 'l2', 'eth_getTransactionCount', [
      address,
      'pending',
    ])
    if (count.error) return count
    const raw = await this.#sign(client, { nonce: Number(count.result), ...what(client) })
    const sent = await this.#requests.rpc(who, 'l2', 'eth_sendRawTransaction', [raw])
    if (sent.result) recorder.record(who, 'transaction.taken', { hash: sent.result })
    if (sent.result) this.#sent.push(sent.result as Hex)
    return sent
  }

  /** Tells what it was before anybody else can know of it. */
  async #sign(
    client: number,
    { to, tip = TIP, ...rest }: Unaddressed & { nonce: number },
  ): Promise<Hex> {
    const account = this.#account(client)
    const fees = { maxFeePerGas: BigInt(GAS_PRICE), maxPriorityFeePerGas: tip }
    const { chainId } = this.#world.facts
    const raw = await account.signTransaction({
      ...{ chainId, type: 'eip1559', ...fees, ...rest },
      ...(to && { to }),
    })
    this.#world.recorder.record(`client.${client}`, 'transaction.signed', {
      ...{ hash: keccak256(raw), from: account.address, to: to ?? null, nonce: rest.nonce },
      value: numberToHex(rest.value),
      input: rest.data ?? '0x',
      maxFeePerGas: GAS_PRICE,
      maxPriorityFeePerGas: numberToHex(tip),
      raw,
    })
    return raw
  }

  async #deployLogger(): Promise<void> {
    const raw = await this.#sign(8, { nonce: 0, gas: 200_000n, value: 0n, data: LOGGER })
    const { result } = await this.#requests.rpc('client.8', 'l2', 'eth_sendRawTransaction', [raw])
    if (!result) return
    for (let look = 0; look < 40 && !this.#isOver; look++) {
      const receipt = await this.#requests.rpc('client.8', 'l2', 'eth_getTransactionReceipt', [
        result,
      ])
      const { contractAddress } = Object(receipt.result) as { contractAddress?: Hex }
      if (contractAddress) {
        this.#logger = contractAddress
        return
      }
      await sleep(this.#world.clock, 200)
    }
  }

  /** Everybody who was told a code asks once more. */
  async #registerAgain(): Promise<Error | undefined> {
    for (const wallet of this.#registered) {
      const error = await this.#register(wallet)
      if (error) return error
    }
    return undefined
  }

  async #register(wallet = this.#anyWallet()): Promise<Error | undefined> {
    const { clients, recorder } = this.#world
    recorder.record('client.9', 'code.asked', { wallet })
    const asked = await this.#requests.ask('client.9', 'api', 'register', async (signal) => {
      const { status, body } = await clients.api(
        {
          method: 'POST',
          path: '/v1/agents/builder-codes',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ walletAddress: this.#spelled(wallet) }),
        },
        signal,
      )
      if (status !== 200 && status !== 201) throw new Error(`${status}: ${body}`)
      const { builderCode, walletAddress } = JSON.parse(body) as Record<string, string>
      return { code: builderCode, owner: walletAddress, status }
    })
    if (asked.error) return asked.error
    const { status, ...given } = asked.result as { code: string; owner: string; status: number }
    recorder.record('client.9', 'code.told', { wallet, ...given, isNew: status === 201 })
    this.#registered.add(wallet)
    return undefined
  }

  /** The same wallet in capital letters, each second time: a wallet has one code, however it is spelled. */
  #spelled(wallet: string): string {
    this.#spellings += 1
    return this.#spellings % 2 === 0 ? `0x${wallet.slice(2).toUpperCase()}` : wallet
  }

  #anyWallet(): string {
    return `0x${(randomInt(this.#world.rng, WALLETS) + 1).toString(16).padStart(40, '0')}`
  }

  #subscribe(index: number, isIdle: boolean): void {
    const { clients, recorder, clock } = this.#world
    let connections = 0
    const loop = async () => {
      while (!this.#isOver) {
        const who = `subscriber.${index}.${connections++}`
        const closed = Promise.withResolvers<void>()
        try {
          const subscriber = await clients.subscriber({
            notification(params) {
              const { result } = params as { result: Record<string, unknown> }
              recorder.record(who, 'log.delivered', {
                block: result.blockHash,
                index: Number(result.logIndex),
                removed: result.removed === true,
                log: { address: result.address, topics: result.topics, data: result.data },
              })
            },
            closed(reason) {
              recorder.record(who, 'subscription.closed', { reason })
              closed.resolve()
            },
          })
          this.#subscribers.push(subscriber)
          await subscriber.request('eth_subscribe', ['logs', {}])
          if (isIdle) subscriber.pause()
          else recorder.record(who, 'subscription.opened', { after: await blockNumber(subscriber) })
          await Promise.race([closed.promise, aborted(this.#requests.signal)])
        } catch (error) {
          recorder.record(who, 'subscription.failed', { message: String(error) })
        }
        await sleep(clock, 500, this.#requests.signal).catch(() => {})
      }
    }
    this.#work.push(loop())
  }
}

/** What is sealed after this block comes to whoever has subscribed. */
const blockNumber = async (subscriber: Subscriber) =>
  Number(await subscriber.request('eth_blockNumber', []))

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
