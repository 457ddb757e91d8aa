import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Supervisor } from '#devnet/base/process/supervisor'
import { watchChain } from '#devnet/rollup/start/watch-chain'
import { l2ChainId } from '#fixtures/chain/constants'
import { type DevKey, userKeys } from '#fixtures/chain/dev-keys'
import type { RollbedError } from '#protocol/errors/rollbed-error'
import { EngineFault } from '#protocol/evm/engine-fault'
import type { Executor } from '#protocol/execution/executor'
import { L1_BLOCK } from '#protocol/execution/predeploys'
import { seededRng } from '#protocol/random/rng'
import type { Hex } from '#protocol/types/bytes'
import { signAuthorization, signTransaction } from '#suites/oracles/differential/sign'
import { transfer } from './transfer.ts'
import { unrulyExecutor } from './unruly-executor.ts'
import { startVirtualNode, type VirtualNode } from './virtual-node.ts'

/** Which of the users' transactions the pending block holds, as sender.nonce. */
function pendingUsers({ node }: VirtualNode): string[] {
  return node.chain.pending()!.transactions.flatMap((transaction) => {
    if (transaction.type === 0x7e) return []
    const user = userKeys.findIndex(({ address }) => address === transaction.from)
    return [`${user}.${transaction.nonce}`]
  })
}

/** A first transaction that pays more than others, with the first authorization of another account. */
function delegate({ authority, by }: Record<'authority' | 'by', DevKey>): Uint8Array {
  const address = `0x${'d0'.repeat(20)}` as const
  const authorization = { chainId: l2ChainId, address, nonce: 0 }
  return hexToBytes(
    signTransaction(by.privateKey, {
      type: 'eip7702',
      chainId: l2ChainId,
      nonce: 0,
      to: authority.address,
      gas: 100_000n,
      maxPriorityFeePerGas: 9_000_000n,
      maxFeePerGas: 1_000_000_000n,
      authorizationList: [signAuthorization(authority.privateKey, authorization)],
    }),
  )
}

describe('filling a block', () => {
  it('given equal conditions, when a flashblock is built, then tips and arrival decide the order', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    await node.chain.submit(transfer(0, 0, { tip: 1n }))
    await node.chain.submit(transfer(1, 0, { tip: 5n }))
    await node.chain.submit(transfer(2, 0, { tip: 5n }))
    await node.chain.submit(transfer(0, 1, { tip: 9n }))
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['1.0', '2.0', '0.0', '0.1'])
    await node.stop()
  })

  it('given a gas limit above the first shares, when they pass, then it waits and others go on', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    // The block has 60M gas: 25M fit from flashblock 5 (30M) on.
    await node.chain.submit(transfer(0, 0, { gas: 25_000_000n, tip: 9n }))
    await node.chain.submit(transfer(1, 0))
    for (let index = 1; index <= 4; index++) {
      await node.flashblock()
      expect(pendingUsers(virtual)).toEqual(['1.0'])
    }
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['1.0', '0.0'])
    await node.stop()
  })

  it('given large data, when the DA footprint of a share is full, then the rest waits (OP spec, Jovian)', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    // Random bytes do not compress: 10 kB × 0.8365 × 400 = 3.3M of the first share of 6M.
    const data = bytesToHex(seededRng(1).bytes(10_000))
    for (const user of [0, 1]) await node.chain.submit(transfer(user, 0, { gas: 500_000n, data }))
    await node.flashblock()
    const first = node.chain.pending()!
    expect(pendingUsers(virtual)).toEqual(['0.0'])
    expect(first.header.blobGasUsed).toBeGreaterThan(3_000_000n)
    expect(first.header.blobGasUsed).toBeLessThanOrEqual(6_000_000n)
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['0.0', '1.0'])
    await node.stop()
  })

  it('given money spent before, when a transaction is executed, then it is dropped with a reason', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    const reasons: string[] = []
    node.chain.on('discarded', ({ reason }) => reasons.push(reason.code))
    await node.chain.submit(transfer(0, 0, { value: 6_000n * 10n ** 18n }))
    const broke = await node.chain.submit(transfer(0, 1, { value: 6_000n * 10n ** 18n }))
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['0.0'])
    expect(reasons).toEqual(['INSUFFICIENT_FUNDS'])
    expect(node.chain.pooledTransaction(broke)).toBeUndefined()
    await node.stop()
  })

  it('given an EIP-7702 authorization that uses up a nonce, when built on, then its sender goes on after it', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    const reasons: string[] = []
    node.chain.on('discarded', ({ reason }) => reasons.push(reason.message))
    for (const nonce of [0, 1]) await node.chain.submit(transfer(0, nonce))
    await node.chain.submit(delegate({ authority: userKeys[0]!, by: userKeys[1]! }))
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['1.0'])
    expect(reasons).toEqual(['nonce too low: next nonce 1, tx nonce 0'])
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['1.0', '0.1'])
    await node.stop()
  })

  it('given an authorization that uses the nonce somebody waits for, when the block is sealed, then he goes on', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    const authority = userKeys[0]!
    await node.chain.submit(transfer(0, 1))
    await node.chain.submit(delegate({ authority, by: userKeys[1]! }))
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['1.0'])
    await node.seal()
    await node.flashblock()
    expect(pendingUsers(virtual)).toEqual(['0.1'])
    await node.stop()
  })

  it('given the executor itself fails, when the culprit is gone, then nothing pre-confirmed is lost', async () => {
    let culprit = ''
    const executor = await unrulyExecutor(({ hash }) => {
      if (hash === culprit) throw new Error('out of memory')
    })
    const lines: string[] = []
    const logger = pino({ base: null }, { write: (line) => lines.push(line) })
    const virtual = await startVirtualNode({ manual: true, executor, logger })
    const { node, clock } = virtual
    const supervisor = new Supervisor({ clock, logger: pino({ level: 'silent' }) })
    watchChain(node.chain, supervisor)
    const discarded: RollbedError[] = []
    node.chain.on('discarded', ({ reason }) => discarded.push(reason))
    await node.chain.submit(transfer(0, 0))
    const before = await node.flashblock()
    culprit = await node.chain.submit(transfer(1, 0, { tip: 9_000_000n }))
    await node.chain.submit(transfer(2, 0))
    const after = await node.flashblock()
    expect(discarded).toMatchObject([{ code: 'EXECUTION_FAILED' }])
    // It is told: by name and cause, to whoever asks for it, in the log, and as what is wrong.
    const sentence = `Executing transaction ${culprit} failed inside the node: out of memory`
    expect(node.cheats.chain.drops.of(culprit as Hex)).toMatchObject({ reason: sentence })
    expect(lines.filter((line) => line.includes(sentence))).toHaveLength(1)
    expect(supervisor.health().warnings).toMatchObject([
      { part: 'execution', problem: expect.stringContaining(sentence) },
    ])
    expect(pendingUsers(virtual)).toEqual(['0.0', '2.0'])
    expect(after.receipts.slice(0, 2)).toEqual(before.receipts)
    expect((await node.seal()).header.stateRoot).toBe(after.header.stateRoot)
    await node.stop()
  })

  it('given a deposit on which the EVM broke, when its block is sealed, then it is told once, with its place', async () => {
    const whole = await unrulyExecutor(() => {})
    const place = { address: L1_BLOCK, pc: 34, depth: 0 }
    let isBroken = false
    const executor: Executor = {
      ...whole,
      async openBlock(options) {
        const block = await whole.openBlock(options)
        const faults = isBroken ? [new EngineFault(place, new Error('unreachable'))] : []
        isBroken = false
        return new Proxy(block, {
          get: (target, key) => (key === 'faults' ? faults : Reflect.get(target, key, target)),
        })
      },
    }
    const lines: Record<string, unknown>[] = []
    const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
    const { node, clock } = await startVirtualNode({ manual: true, executor, logger })
    const supervisor = new Supervisor({ clock, logger: pino({ level: 'silent' }) })
    watchChain(node.chain, supervisor)
    isBroken = true
    // Opens block 2, which is the broken one.
    await node.seal()
    expect(supervisor.health().warnings).toEqual([])
    const { header } = await node.seal()
    await node.seal()
    const sentence = `in code at ${L1_BLOCK}, byte 34, depth 0`
    expect(header.number).toBe(2n)
    expect(lines).toMatchObject([{ number: 2, place, msg: expect.stringContaining(sentence) }])
    expect(supervisor.health().warnings).toMatchObject([
      { part: 'engine', problem: expect.stringContaining(sentence) },
    ])
    expect(supervisor.health().warnings[0]?.problem).toContain('block 2')
    await node.stop()
  })
})
