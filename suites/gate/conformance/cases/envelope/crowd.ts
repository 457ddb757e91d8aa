import { askAtOnce, CLIENTS, type ClientQuestion, forEachClient } from '../../ask-at-once.ts'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases, type Scene } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { toWord, words } from '../../reads/eth-call.ts'
import { getTip } from '../../reads/get-block.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { codeOf, postRegistration } from '../../reads/register-code.ts'
import { callResult, simulate } from '../../reads/simulate.ts'
import { expectDocuments } from '../../scenes/enclave-identities.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { freshWallet } from '../../scenes/registered-wallets.ts'
import { FAR_SLOT, FAR_VALUE, sealedHistory, WRITTEN } from '../../scenes/sealed-history.ts'
import type { HttpReply } from '../../wire/http-client.ts'
import type { JsonRpcClient } from '../../wire/json-rpc-client.ts'

/** A slot that nobody writes. */
const UNWRITTEN = 0x5c0a7den
/** Of one simulation, so that it takes its time. */
const SIMULATED_CALLS = 50

const hex = (value: bigint) => `0x${value.toString(16)}`

/** Asked once alone, and then among the others: sealed, so that the answer stays. */
async function asAlone(
  rpc: JsonRpcClient,
  method: string,
  params: readonly unknown[],
): Promise<ClientQuestion> {
  const ask = () => rpc.result(method, params)
  return { ask, expected: await ask() }
}

/** Likewise of logs, whose order is not stated (OPEN-22). */
async function logsAlone(
  rpc: JsonRpcClient,
  filter: Record<string, unknown>,
): Promise<ClientQuestion> {
  const ask = () => getLogs(rpc, filter)
  return { ask, expected: await ask() }
}

/** The newest heights, one for each client; fewer on a chain that has just begun. */
async function newestHeights(rpc: JsonRpcClient): Promise<bigint[]> {
  const tip = await getTip(rpc)
  const heights = forEachClient((index) => tip - BigInt(index)).filter((height) => height >= 0n)
  return heights.length > 1 ? heights : notApplicable('The chain has only its first block.')
}

/** One after the other: this is the answer that nobody else was asking beside. */
async function eachAlone<T>(
  items: readonly T[],
  ask: (item: T, index: number) => Promise<ClientQuestion>,
): Promise<ClientQuestion[]> {
  const questions: ClientQuestion[] = []
  for (const [index, item] of items.entries()) questions.push(await ask(item, index))
  return questions
}

/** Wallets that nobody registered before, at once, and the reply to each. */
const walletsAtOnce: Scene<{ wallet: string; reply: HttpReply }[]> = {
  name: 'wallets at once',
  kind: 'observation',
  build: ({ api }) =>
    Promise.all(
      forEachClient(async () => {
        const wallet = freshWallet()
        return { wallet, reply: await postRegistration(api, { walletAddress: wallet }) }
      }),
    ),
}

/** Wallet and code of a registration that succeeded. */
function recordIn(reply: HttpReply) {
  const code = codeOf(reply)
  const { walletAddress } = expectObject(reply.json, 'body')
  return [String(walletAddress).toLowerCase(), code] as const
}

export const cases = defineCases([
  {
    id: 'rpc.block.crowd.01',
    title: 'Sixteen clients that ask for sixteen blocks at once get each its own',
    area: 'block',
    rules: ['RPC-SEL-01', 'RPC-BLK-05', 'RPC-BLK-06', 'RPC-BLK-22', 'RPC-BLK-23'],
    needs: ['rpc'],
    rationale: 'An answer that is shared between requests under way is another block.',
    async run({ rpc }) {
      const questions = await eachAlone(await newestHeights(rpc), (height, index) =>
        asAlone(rpc, 'eth_getBlockByNumber', [hex(height), index % 2 === 0]),
      )
      await askAtOnce(questions, 'eth_getBlockByNumber')
    },
  },
  {
    id: 'rpc.getlogs.crowd.01',
    title: 'Sixteen clients that ask by sixteen filters at once get each the logs of its own',
    area: 'logs',
    rules: ['RPC-GETLOGS-01', 'RPC-FLT-07', 'RPC-FLT-10', 'RPC-FLT-16'],
    needs: ['rpc', 'driver'],
    rationale: 'A result that is kept for a filter must not be handed to another one.',
    async run(t) {
      const { logs } = await t.scene(sealedHistory)
      const filters = logs.flatMap(({ address, topics, transaction }) => {
        const { blockNumber, blockHash } = transaction
        const [fromBlock, toBlock] = [hex(blockNumber), hex(blockNumber)]
        return [
          { fromBlock, toBlock, address, topics },
          { blockHash, address, topics: topics.slice(0, 1) },
        ]
      })
      const questions = await eachAlone(filters.slice(0, CLIENTS), (filter) =>
        logsAlone(t.rpc, filter),
      )
      await askAtOnce(questions, 'eth_getLogs')
    },
  },
  {
    id: 'rpc.call.crowd.01',
    title: 'Sixteen clients that call at once get each what its own call returns or reverts with',
    area: 'call',
    rules: ['RPC-CALL-03', 'RPC-CALL-05', 'RPC-ENV-09', 'ERR-03'],
    needs: ['rpc', 'driver'],
    rationale: 'Each sends other bytes, and half of the calls revert with theirs.',
    async run(t) {
      const { echo, revert } = await t.scene(probeContracts)
      const questions = forEachClient((index): ClientQuestion => {
        const data = words(...Array.from({ length: index + 1 }, () => 0xc0de00 + index))
        if (index % 2 === 0) {
          const ask = () => t.rpc.result('eth_call', [{ to: echo, data }, 'latest'])
          return { ask, expected: data }
        }
        const ask = async () => {
          const reply = await t.rpc.call('eth_call', [{ to: revert, data }, 'latest'])
          return expectError(reply, 'reply').data
        }
        return { ask, expected: data }
      })
      await askAtOnce(questions, 'eth_call')
    },
  },
  {
    id: 'rpc.simulate.crowd.01',
    title: 'Sixteen clients that simulate at once get each what came of its own calls',
    area: 'simulate',
    rules: ['RPC-SIM-05', 'RPC-SIM-32', 'RPC-SIM-36', 'RPC-SIM-14'],
    needs: ['rpc', 'driver'],
    rationale: 'Each overrides another slot value, and reads it beside bytes of its own.',
    async run(t) {
      const { echo, store } = await t.scene(probeContracts)
      const questions = forEachClient((index): ClientQuestion => {
        const [slot, value] = [0x5100n + BigInt(index), 0x1000 + index]
        const entries = Array.from({ length: 1 + (index % 3) }, () => ({
          stateOverrides: { [store]: { stateDiff: { [toWord(slot)]: toWord(value) } } },
          calls: [
            { to: echo, data: toWord(value) },
            { to: store, data: words(slot) },
          ],
        }))
        return {
          ask: async () =>
            (await simulate(t.rpc, entries)).map((block) =>
              [0, 1].map((call) => callResult(block, call).returnData),
            ),
          expected: entries.map(() => [toWord(value), toWord(value)]),
        }
      })
      await askAtOnce(questions, 'eth_simulateV1')
    },
  },
  {
    id: 'rpc.simulate.crowd.02',
    title: 'Beside simulations that override what they read, calls see the chain as it is',
    area: 'simulate',
    rules: ['RPC-SIM-31', 'RPC-CALL-18'],
    needs: ['rpc', 'driver'],
    rationale:
      'An override that is laid on what all share, and taken off at the end, is there meanwhile.',
    async run(t) {
      const { store } = await t.scene(probeContracts)
      const getSlot = { to: store, data: words(UNWRITTEN) }
      const questions = forEachClient((index): ClientQuestion => {
        if (index % 2 === 1) {
          const ask = () => t.rpc.result('eth_call', [getSlot, 'latest'])
          return { ask, expected: toWord(0) }
        }
        const value = toWord(0x1000 + index)
        const stateDiff = { [toWord(UNWRITTEN)]: value }
        const stateOverrides = { [store]: { stateDiff } }
        const entry = { stateOverrides, calls: Array(SIMULATED_CALLS).fill(getSlot) }
        return {
          ask: async () => callResult((await simulate(t.rpc, [entry]))[0], 0).returnData,
          expected: value,
        }
      })
      await askAtOnce(questions, 'eth_simulateV1 and eth_call')
    },
  },
  {
    id: 'rpc.storage.crowd.01',
    title: 'Sixteen clients that read slots at once get each the value of its own',
    area: 'storage',
    rules: ['RPC-STOR-02', 'RPC-STOR-03', 'RPC-STOR-06', 'RPC-STOR-07'],
    needs: ['rpc', 'driver'],
    rationale: 'Slots that were written and that were not, before and after, side by side.',
    async run(t) {
      const { probes, writes } = await t.scene(sealedHistory)
      const { slot, first, second } = WRITTEN
      const { first: from, second: until } = writes
      const known: readonly (readonly [slot: bigint, block: string, value: bigint])[] = [
        [slot, hex(from - 1n), 0n],
        [slot, hex(from), first],
        [slot, hex(until), second],
        [slot, 'latest', second],
        [FAR_SLOT, hex(until), FAR_VALUE],
        [FAR_SLOT + 1n, hex(until), 0n],
        [FAR_SLOT, 'latest', FAR_VALUE],
      ]
      const questions = forEachClient((index): ClientQuestion => {
        const [slot, block, value] = known[index % known.length]!
        const params = [probes.store, toWord(slot), block]
        const ask = () => t.rpc.result('eth_getStorageAt', params)
        return { ask, expected: toWord(value) }
      })
      await askAtOnce(questions, 'eth_getStorageAt')
    },
  },
  {
    id: 'api.codes.crowd.01',
    title: 'Sixteen wallets that register at once get each its own code, and the same one again',
    area: 'builder-codes',
    rules: ['BC-07', 'BC-08', 'BC-10', 'BC-11'],
    needs: ['api'],
    rationale: 'A record that goes to another client credits the wrong builder.',
    async run(t) {
      const registered = await t.scene(walletsAtOnce)
      const wallets = registered.map(({ wallet }) => wallet)
      const firsts = registered.map(({ reply }) => recordIn(reply))
      const echoed = firsts.map(([wallet]) => wallet)
      expectEqual(
        echoed,
        wallets.map((wallet) => wallet.toLowerCase()),
        'walletAddress of each',
      )
      const questions = wallets.map((wallet, index) => ({
        ask: async () => recordIn(await postRegistration(t.api, { walletAddress: wallet })),
        expected: firsts[index],
      }))
      await askAtOnce(questions, 'registration')
    },
  },
  {
    id: 'api.codes.crowd.02',
    title: 'Sixteen wallets that register at once share no code',
    area: 'builder-codes',
    rules: ['BC-13'],
    level: 'should',
    needs: ['api'],
    rationale:
      'A code that is handed out twice while both are under way credits the wrong builder.',
    async run(t) {
      const codes = (await t.scene(walletsAtOnce)).map(({ reply }) => codeOf(reply))
      expectEqual(new Set(codes).size, CLIENTS, 'different codes')
    },
  },
  {
    id: 'attestation.crowd.user-data.01',
    title: 'Sixteen callers at once get each the documents with its own user data and nonces',
    area: 'attestation',
    rules: ['ATT-07', 'ATT-08', 'HOST-RPC-06', 'HOST-RPC-07', 'HOST-RPC-08'],
    needs: ['prover'],
    rationale: 'A document that answers another challenge lets the wrong one through.',
    run: (t) => attestAtOnce(t),
  },
])

async function attestAtOnce(t: CaseContext): Promise<void> {
  const keys = expectArray(await t.prover.result('enclave_signerPublicKey', []), 'keys')
  const ask = async (client: number) => {
    const sent = [client, 0, 255, client]
    const nonces = keys.map((_, enclave) => [client, enclave, 7])
    const reply = await t.prover.call('enclave_signerAttestation', [sent, nonces])
    return expectDocuments(reply).map(({ payload }) => [
      [...(payload.user_data ?? [])],
      [...(payload.nonce ?? [])],
    ])
  }
  const got = await Promise.all(forEachClient(ask))
  const expected = forEachClient((client) =>
    keys.map((_, enclave) => [
      [client, 0, 255, client],
      [client, enclave, 7],
    ]),
  )
  expectEqual(got, expected, 'user_data and nonce of each')
}
