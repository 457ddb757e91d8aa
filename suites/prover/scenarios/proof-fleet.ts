import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { rollupConfigJson } from '#devnet/l2/rollup-rpc/rollup-config-json'
import { launchEnclave, type RunningEnclave } from '#devnet/proving/enclaves/launch-enclave'
import type { Devnet } from '#devnet/start-devnet'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { systemClock } from '#protocol/clock/system-clock'
import { systemRng } from '#protocol/random/rng'
import type { Address } from '#protocol/types/bytes'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'

const clock = systemClock

/** A process that can be killed at any time and comes back at the same address. */
export interface Member extends OwnedResource {
  readonly name: string
  /** Of the processes it has had. */
  readonly pids: number[]
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>
  /** Comes back; resolves when it serves. */
  restart(): Promise<void>
}

export interface EnclaveMember extends Member {
  /** Stays the same over restarts. */
  readonly endpoint: string
  /** Of the process it has now. */
  readonly signer: Address
}

export interface HostMember extends Member {
  readonly url: string
}

/**
 * An enclave in its own process, registered by the owner's path. Every boot has a new key; a link to
 * its socket is what stays.
 */
export async function enclaveMember(
  devnet: Devnet,
  { cid, imageDir, folder }: { cid: number; imageDir: string; folder: string },
): Promise<EnclaveMember> {
  const { l1RpcUrl: rpcUrl, l1ChainId: chainId } = devnet.description
  const owner = { rpcUrl, chainId, mine: () => devnet.l1.mine() }
  const rng = systemRng
  const root = createSimRoot({ clock, rng })
  const link = join(folder, `${cid}`)
  const pids: number[] = []
  let running: RunningEnclave
  async function restart() {
    const logger = pino({ level: 'silent' })
    running = await launchEnclave({ cid, imageDir, root, clock, rng, logger })
    pids.push(running.pid)
    rmSync(link, { force: true })
    const [, path] = /^unix:(.+):\d+$/.exec(running.endpoint)!
    symlinkSync(path!, link)
    await registerDevSigners(owner, [running])
  }
  await restart()
  return {
    name: `enclave ${cid}`,
    endpoint: `unix:${link}:8000`,
    get signer() {
      return running.signer
    },
    pids,
    restart,
    async kill() {
      process.kill(running.pid, 'SIGKILL')
      await running.exited
      await running.stop()
    },
    stop: () => running.stop(),
  }
}

/** `rollbed host` in front of enclaves, on the port it got at first. */
export async function hostMember(
  devnet: Devnet,
  { name, enclaves, folder }: { name: string; enclaves: EnclaveMember[]; folder: string },
): Promise<HostMember> {
  const { l1RpcUrl, l1BeaconUrl, rpcUrl, chainId, contracts } = devnet.description
  const chains = join(folder, 'rollup.json')
  writeFileSync(chains, JSON.stringify(rollupConfigJson(devnet.config)))
  const cids = enclaves.map(({ endpoint }, index) => `${16 + index}=${endpoint}`)
  const pids: number[] = []
  let listen = '127.0.0.1:0'
  let running: RollbedProcess
  async function restart() {
    const flags = {
      '--l1-rpc-url': l1RpcUrl,
      '--l1-beacon-url': l1BeaconUrl,
      '--l2-rpc-url': rpcUrl,
      '--l2-chain-id': String(chainId),
      '--listen': listen,
      '--vsock-cid': cids.join(','),
      '--tee-prover-registry-address': contracts.teeProverRegistry,
      '--chains': chains,
      '--log-level': 'error',
    }
    running = new RollbedProcess(['host', '--json', ...Object.entries(flags).flat()])
    const { url } = JSON.parse(await running.firstLine())
    pids.push(running.child.pid!)
    listen = new URL(url).host
  }
  await restart()
  return {
    name,
    url: `http://${listen}`,
    pids,
    restart,
    kill: async () => void (await running.stop('SIGKILL')),
    stop: async () => void (await running.stop()),
  }
}
