import { parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { keccak256 } from '../spec/hash.ts'
import { type ScriptedTarget, startScriptedTarget } from '../testing-target.ts'
import type { Hex } from '../wire/hex.ts'
import { createAccountsDriver } from './accounts-driver.ts'

let target: ScriptedTarget
afterEach(() => target.stop())

/** @param hashOf what the node calls the n-th transaction */
async function startDriver(hashOf: (raw: Hex, index: number) => Hex) {
  const nonces: (number | undefined)[] = []
  target = await startScriptedTarget(({ id, method, params }) => {
    if (method !== 'eth_sendRawTransaction') return { jsonrpc: '2.0', id, result: '0x1' }
    const raw = params[0] as Hex
    nonces.push(parseTransaction(raw).nonce)
    return { jsonrpc: '2.0', id, result: hashOf(raw, nonces.length) }
  })
  const driver = await createAccountsDriver({
    targets: { rpc: target.url },
    clock: new VirtualClock(),
    signal: new AbortController().signal,
    name: 'test',
    accounts: [privateKeyToAccount(`0x${'11'.repeat(32)}`)],
    fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n },
    gas: 21_000n,
  })
  return { driver, nonces }
}

test('given a node that calls one transaction otherwise, when the next is sent, then it has the next nonce', async () => {
  const { driver, nonces } = await startDriver((raw, index) => {
    return index === 1 ? `0x${'00'.repeat(32)}` : keccak256(raw)
  })
  const to: Hex = `0x${'22'.repeat(20)}`
  await expect(driver.send({ account: 0, to })).rejects.toThrow('The node answered')
  await driver.send({ account: 0, to })
  expect(nonces).toEqual([1, 2])
})

test('given an account that is not there, then the promise of the send is rejected', async () => {
  const { driver } = await startDriver(keccak256)
  await expect(driver.send({ account: 7 })).rejects.toThrow('There is no account 7.')
})
