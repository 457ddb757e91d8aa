import { getContractAddress, toHex } from 'viem'
import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectArray, expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { assemble } from '../../probes/assembly.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getBlock } from '../../reads/get-block.ts'
import { callResult, simulate, toBlocks } from '../../reads/simulate.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { TRANSFER } from '../../scenes/sealed-history.ts'
import type { Hex } from '../../wire/hex.ts'

const account = (digits: string): Hex => `0x${digits.repeat(20)}`
const [MOVER, ENDING, REFUSER, RECEIVER, HEIR] = ['e1', 'e2', 'e3', 'e4', 'e5'].map(account) as [
  ...[Hex, Hex, Hex, Hex, Hex],
]
/** Account nonce of who creates: the address of what is created follows from it (EIP-161). */
const NONCE = 7n
const WEI = { created: 3, received: 5, refused: 9, inherited: 11 }
/** Topics of what the contract itself logs, before money moves and after. */
const [BEFORE, AFTER] = [toWord(0x0be4), toWord(0x0af7)]

const log = (topic: Hex) => `${topic} PUSH0 PUSH0 LOG1`
const pay = (to: Hex, wei: number) =>
  `PUSH0 PUSH0 PUSH0 PUSH0 0x0${wei.toString(16)} ${to} GAS CALL POP`

const CODE = {
  /** Logs, creates, pays, pays one that refuses, has another one end itself, and logs again. */
  [MOVER]: assemble(`
    ${log(BEFORE)}
    PUSH0 PUSH0 0x0${WEI.created} CREATE POP
    ${pay(RECEIVER, WEI.received)} ${pay(REFUSER, WEI.refused)} ${pay(ENDING, 0)}
    ${log(AFTER)} STOP
  `),
  [ENDING]: assemble(`${HEIR} SELFDESTRUCT`),
  [REFUSER]: assemble('PUSH0 PUSH0 REVERT'),
}

/** What each log says, topics and data; the transfers by name. */
async function movesOf({ rpc }: CaseContext): Promise<unknown[]> {
  const ether = '0xde0b6b3a7640000'
  const stateOverrides = {
    [MOVER]: { code: CODE[MOVER], balance: ether, nonce: toHex(NONCE) },
    [ENDING]: { code: CODE[ENDING], balance: `0x${WEI.inherited.toString(16)}` },
    [REFUSER]: { code: CODE[REFUSER] },
  }
  const entry = { stateOverrides, calls: [{ to: MOVER }] }
  const [block] = await simulate(rpc, [entry], { traceTransfers: true })
  const call = callResult(block, 0)
  expectEqual(call.status, '0x1', 'calls[0].status')
  return expectArray(call.logs, 'calls[0].logs').map(moveIn)
}

function moveIn(log: unknown): string {
  const { topics, data } = expectObject(log, 'log')
  return JSON.stringify([...expectArray(topics, 'topics'), data])
}

const move = (from: Hex, to: Hex, wei: number) =>
  JSON.stringify([TRANSFER, toWord(from), toWord(to), toWord(wei)])
const own = (topic: Hex) => JSON.stringify([topic, '0x'])

const CREATED = getContractAddress({ from: MOVER, nonce: NONCE }).toLowerCase() as Hex
const LOGGED = [own(BEFORE), own(AFTER)]
const MOVED = [
  move(MOVER, CREATED, WEI.created),
  move(MOVER, RECEIVER, WEI.received),
  move(ENDING, HEIR, WEI.inherited),
]
const IN_ORDER = [own(BEFORE), ...MOVED, own(AFTER)]

export const cases = defineCases([
  {
    id: 'rpc.simulate.moves.01',
    title:
      'With traceTransfers what is given to a creation and left by a contract that ends is there, and nothing that was refused',
    area: 'simulate',
    rules: ['RPC-SIM-08'],
    needs: ['rpc'],
    rationale: 'Money moves by CREATE and SELFDESTRUCT, too; a frame that reverts keeps none.',
    async run(t) {
      const moves = (await movesOf(t)).filter((each) => !LOGGED.includes(String(each)))
      expectEqual(moves.toSorted(), MOVED.toSorted(), 'transfers')
    },
  },
  {
    id: 'rpc.simulate.moves.02',
    title: 'With traceTransfers the logs of contracts are there as without',
    area: 'simulate',
    rules: ['RPC-SIM-37', 'RPC-SIM-08'],
    needs: ['rpc'],
    rationale: 'Transfers are included in the logs, they do not take their place.',
    async run(t) {
      const logs = (await movesOf(t)).filter((each) => LOGGED.includes(String(each)))
      expectEqual(logs, LOGGED, 'logs of the contract')
    },
  },
  {
    id: 'rpc.simulate.moves.03',
    title: 'Traced transfers and logs of contracts come in the order in which they happened',
    area: 'simulate',
    rules: ['RPC-SIM-08', 'RPC-SIM-37'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'execution-apis; the spec states no order.',
    async run(t) {
      expectEqual(await movesOf(t), IN_ORDER, 'calls[0].logs')
    },
  },
  {
    id: 'rpc.simulate.moves.04',
    title: 'With traceTransfers what a creation is sent with is there, as what a call is sent with',
    area: 'simulate',
    rules: ['RPC-SIM-08'],
    needs: ['rpc'],
    rationale: 'A call without `to` creates a contract, and moves money as any other.',
    async run({ rpc }) {
      const stateOverrides = { [MOVER]: { balance: '0xde0b6b3a7640000', nonce: toHex(NONCE) } }
      const creation = { from: MOVER, value: '0x3', gas: '0x30d40' }
      const call = { from: MOVER, to: RECEIVER, value: '0x5', gas: '0x30d40' }
      const blockStateCalls = [{ stateOverrides, calls: [creation, call] }]
      const payload = { blockStateCalls, traceTransfers: true }
      const reply = await rpc.call('eth_simulateV1', [payload, 'latest'])
      if ('error' in reply.body)
        notApplicable('It simulates no creation, which is not stated (OPEN-24).')
      const [block] = toBlocks(reply)
      const moves = [0, 1].map((index) => {
        const { status, logs } = callResult(block, index)
        expectEqual(status, '0x1', `calls[${index}].status`)
        return expectArray(logs, `calls[${index}].logs`).map(moveIn)
      })
      expectEqual(moves, [[move(MOVER, CREATED, 3)], [move(MOVER, RECEIVER, 5)]], 'transfers')
    },
  },
  {
    id: 'rpc.simulate.untouched.01',
    title: 'In each block of a simulation an account that nothing touched has what it had',
    area: 'simulate',
    rules: ['RPC-SIM-02', 'RPC-SIM-14'],
    needs: ['rpc', 'driver'],
    rationale: 'State carries over from block to block; what was not read yet is of the chain.',
    async run(t) {
      const { balance, echo } = await t.scene(probeContracts)
      const { number, miner } = await getBlock(t.rpc, 'latest')
      // Where nothing may be sent, the accounts of the driver are rich by overrides alone.
      const rich = [miner as Hex, ...(t.driver.onlyReads ? [] : t.driver.accounts.slice(0, 2))]
      const wanted = await Promise.all(
        rich.map((each) => t.rpc.result('eth_getBalance', [each, number])),
      )
      const read = (each: Hex) => ({ to: balance, data: toWord(each) })
      // The first block touches none of them, each other one another of them.
      const entries = [{ calls: [{ to: echo }] }, ...rich.map((each) => ({ calls: [read(each)] }))]
      const blocks: JsonObject[] = await simulate(t.rpc, entries, {}, String(number))
      const found = rich.map((_, at) => callResult(blocks[at + 1], 0).returnData)
      expectEqual(
        found,
        wanted.map((wei) => toWord(BigInt(String(wei)))),
        'balances from the second block on',
      )
    },
  },
])
