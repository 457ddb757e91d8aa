import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LogLevel } from '#devnet/base/create-logger'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { World } from '#devnet/rollup/world/world'
import { randomInt } from '#protocol/random/rng'

/**
 * A world with everything in it: load, a slow link, an L1 reorg, a dead enclave and a wrong clock.
 * @param duration virtual milliseconds
 * @returns its events as NDJSON
 */
export async function runSmallWorld(
  seed: number,
  duration = 14_000,
  logLevel: LogLevel = 'silent',
): Promise<string> {
  await using world = await startSimulatedWorld({ seed, logLevel })
  const { clock, faults } = world
  const plan = faults.play({
    duration,
    faults: [
      {
        at: 2_000,
        until: 9_000,
        target: 'link:host-l2',
        fault: 'latency',
        with: { latency: 30, jitter: 20 },
      },
      { at: 3_000, until: 6_000, target: 'link:node-l1', fault: 'slicer', with: {} },
      { at: 5_100, target: 'chain:l1', fault: 'reorg', with: { depth: 2 } },
      { at: 8_000, target: 'process:enclave.16', fault: 'kill', with: {} },
      { at: 9_000, until: 12_000, target: 'clock:host', fault: 'skew', with: { by: 5_000 } },
      { at: 10_000, until: 11_000, target: 'process:api', fault: 'stop', with: {} },
    ],
  })
  for (let at = 500; at < duration; at += 1_000) clock.after(at, () => void act(world))
  await world.runUntil(duration)
  await plan.done
  return world.recorder.toNdjson()
}

/** Each second a transfer and a registration, and what came of them. */
async function act({ rng, clients, facts, recorder }: World): Promise<void> {
  const { privateKey, address } = facts.accounts[randomInt(rng, facts.accounts.length)]!
  try {
    const nonce = await clients.l2.request('eth_getTransactionCount', [address, 'pending'])
    const raw = await privateKeyToAccount(privateKey).signTransaction({
      chainId: facts.chainId,
      type: 'eip1559',
      nonce: Number(nonce),
      to: address,
      value: parseEther('0.001'),
      gas: 21_000n,
      maxFeePerGas: 1_000_000_000n,
      maxPriorityFeePerGas: 1n,
    })
    const hash = await clients.l2.request('eth_sendRawTransaction', [raw])
    recorder.record('client.0', 'sent', { hash })
    const body = JSON.stringify({ walletAddress: address })
    const answer = await clients.api({ method: 'POST', path: '/v1/agents/builder-codes', body })
    recorder.record('client.0', 'code.told', { ...answer })
  } catch (error) {
    recorder.record('client.0', 'failed', { why: (error as Error).message })
  }
}
