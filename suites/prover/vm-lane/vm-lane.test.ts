import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hash,
  type Hex,
  hexToBytes,
  http,
  keccak256,
  type PublicClient,
  parseEther,
  recoverAddress,
  toHex,
} from 'viem'
import { privateKeyToAccount, publicKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { launchVmEnclave } from '#devnet/proving/enclaves/vm/launch-vm-enclave'
import type { ProofResultJson } from '#devnet/proving/prover/proof-json'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { owner } from '#devnet/scenarios/scenario-context'
import { verifyAttestation } from '#enclave/attestation/verify-attestation'
import { buildImage } from '#enclave/image/build-image'
import { imageFiles } from '#enclave/image/image-files'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { systemRng } from '#protocol/random/rng'
import { max } from '#protocol/types/bigints'
import { onEachBlockUntil } from '#suites/system/end-to-end/on-each-block-until'
import { isRunning, type Outcome, RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { packByViem } from '../journal/pack-by-viem.ts'
import { verifyOnL1 } from '../scenarios/verify-on-l1.ts'

/** A machine is emulated: a dozen seconds to boot it when nothing else runs, minutes when much does. */
const PATIENCE = 300_000
const FROM = 1
const TO = 4
const INTERVAL = 2

const wanted = process.env.ROLLBED_VM === '1'

describe.skipIf(!wanted)('an enclave in a virtual machine (ROLLBED_VM=1 runs this)', () => {
  let rollbed: RollbedProcess
  let devnet: DevnetDescription
  let children: number[]
  let transfers: Hash[]
  let l2: PublicClient

  beforeAll(async () => {
    const flags = ['--json', '--port-base', '0', '--block-time', '1', '--verbose']
    rollbed = new RollbedProcess(['up', '--enclaves', 'vm', ...flags])
    devnet = await rollbed.ready()
    children = rollbed.descendants()
    l2 = createPublicClient({ transport: http(devnet.rpcUrl) }) as PublicClient
    transfers = await sendTransfers(devnet)
    const receipts = await Promise.all(
      transfers.map((hash) => l2.waitForTransactionReceipt({ hash })),
    )
    const last = receipts.reduce(
      (highest, { blockNumber }) => max(highest, blockNumber),
      BigInt(TO),
    )
    await onEachBlockUntil(l2, async () => (await l2.getBlock({ blockTag: 'safe' })).number >= last)
  }, PATIENCE)
  afterAll(() => rollbed?.stop('SIGKILL'))

  const prover = () => httpRpcClient(devnet.proverUrl)

  test('then it is described as one, by the UNIX socket in front of its AF_VSOCK port', () => {
    expect(devnet.enclaves).toEqual([
      {
        cid: 16,
        kind: 'vm',
        endpoint: expect.stringMatching(/^unix:\/.+:8000$/),
        pcr0: expect.stringMatching(/^0x[0-9a-f]{96}$/),
        imageHash: keccak256(devnet.enclaves[0]!.pcr0),
        signer: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      },
    ])
  })

  test('then it attests its key under the measurement of its image (ATT-01..08, JRN-17)', async () => {
    const nonce = Buffer.from('a nonce of this test')
    const [document] = (await prover().request('enclave_signerAttestation', [
      null,
      [[...nonce]],
    ])) as number[][]
    const attestation = verifyAttestation(Uint8Array.from(document!), {
      at: systemClock.now(),
      root: hexToBytes(devnet.attestationRoot),
      nonce,
    })
    const [{ pcr0, signer }] = devnet.enclaves as [DevnetDescription['enclaves'][0]]
    expect(toHex(attestation.pcrs.get(0)!)).toBe(pcr0)
    expect(publicKeyToAddress(toHex(attestation.publicKey!)).toLowerCase()).toBe(signer)
  })

  describe('proves a range with transactions in it', () => {
    let from: number
    let proofs: ProofResultJson[]

    beforeAll(async () => {
      const { blockNumber } = await l2.getTransactionReceipt({ hash: transfers[0]! })
      from = Math.max(FROM, Number(blockNumber) - TO + 1)
      const asked = await request(from)
      const prove = () => prover().request('prover_prove', [asked]) as Promise<ProofResultJson>
      proofs = [await prove(), await prove()]
    }, PATIENCE)

    async function request(first: number) {
      const rollup = httpRpcClient(devnet.rollupRpcUrl)
      const output = async (block: number) =>
        (await rollup.request('optimism_outputAtBlock', [`0x${block.toString(16)}`])) as {
          outputRoot: Hex
          blockRef: { hash: Hex }
        }
      const last = first + TO - FROM
      const [agreed, claimed] = [await output(first - 1), await output(last)]
      const l1 = createPublicClient({ transport: http(devnet.l1RpcUrl) })
      const head = await l1.getBlock()
      return {
        l1_head: head.hash,
        l1_head_number: Number(head.number),
        agreed_l2_head_hash: agreed.blockRef.hash,
        agreed_l2_output_root: agreed.outputRoot,
        claimed_l2_output_root: claimed.outputRoot,
        claimed_l2_block_number: last,
        proposer: devnet.accounts[0]!.address,
        intermediate_block_interval: INTERVAL,
      }
    }

    test('when asked twice, then the result is the same (SAFE-07)', () => {
      expect(proofs[1]).toEqual(proofs[0])
    })

    test('then it signs every journal with the key that it attested (JRN-01, SIG-*)', async () => {
      const { aggregate_proposal: aggregate, proposals } = proofs[0]!.Tee
      const [{ imageHash, signer }] = devnet.enclaves as [DevnetDescription['enclaves'][0]]
      expect(proposals).toHaveLength(TO - FROM + 1)
      const signed = [
        ...proposals.map((proposal) => ({
          proposal,
          start: proposal.l2_block_number - 1,
          roots: [] as Hex[],
        })),
        {
          proposal: aggregate,
          start: from - 1,
          roots: [proposals[1]!.output_root, proposals[3]!.output_root],
        },
      ]
      for (const { proposal, start, roots } of signed) {
        const journal = packByViem({
          proposer: devnet.accounts[0]!.address,
          l1OriginHash: proposal.l1_origin_hash,
          prevOutputRoot: proposal.prev_output_root,
          startingL2Block: BigInt(start),
          outputRoot: proposal.output_root,
          endingL2Block: BigInt(proposal.l2_block_number),
          intermediateRoots: roots,
          configHash: proposal.config_hash,
          teeImageHash: imageHash,
        })
        const hash = keccak256(journal)
        const recovered = await recoverAddress({ hash, signature: proposal.signature })
        expect(recovered.toLowerCase()).toBe(signer)
      }
    })

    test('then TEEVerifier on L1 accepts it', async () => {
      const proposer = devnet.accounts[0]!.address
      const range = { from, to: from + TO - FROM, interval: INTERVAL, proposer }
      const { imageHash } = devnet.enclaves[0]!
      expect(await verifyOnL1(devnet, proofs[0]!, range, imageHash)).toBe(true)
    })
  })

  test('then it has no network card: its only device is the vsock one (ENC-PROTO-02)', () => {
    const machines = children
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'))
      .filter(([program]) => program!.includes('qemu-system'))
    expect(machines).toHaveLength(1)
    const values = (flag: string) =>
      machines[0]!.flatMap((argument, index, all) => (argument === flag ? [all[index + 1]] : []))
    expect(machines[0]).toContain('-nodefaults')
    expect(values('-nic')).toEqual(['none'])
    expect([...values('-netdev'), ...values('-net')]).toEqual([])
    expect(values('-device')).toEqual(['vhost-user-vsock-pci,chardev=vsock'])
  })

  describe('when the devnet is stopped', () => {
    let outcome: Outcome
    beforeAll(async () => {
      expect(children.length).toBeGreaterThanOrEqual(3)
      outcome = await rollbed.stop('SIGINT')
    })

    test('then no process and no file is left', () => {
      expect(outcome.exitCode).toBe(0)
      expect(children.filter(isRunning)).toEqual([])
      const [, socket] = /^unix:(.+):\d+$/.exec(devnet.enclaves[0]!.endpoint)!
      expect(existsSync(dirname(socket!))).toBe(false)
    })

    test('then its log has what the guest found: the loopback interface alone (ENC-PROTO-02)', () => {
      const lines = outcome.stderr.split('\n').filter((line) => line.startsWith('{'))
      const machine = lines.map((line) => JSON.parse(line)).find(({ kernel }) => kernel)
      expect(machine).toMatchObject({ interfaces: ['lo'], node: process.version })
    })
  })
})

describe.skipIf(!wanted)('one in a machine beside two simulated ones', () => {
  let rollbed: RollbedProcess
  let devnet: DevnetDescription

  beforeAll(async () => {
    const flags = ['--json', '--port-base', '0', '--block-time', '1', '--verbose']
    rollbed = new RollbedProcess(['up', '--enclaves', '2,vm', ...flags])
    devnet = await rollbed.ready()
  }, PATIENCE)
  afterAll(async () => expect((await rollbed.stop('SIGINT')).exitCode).toBe(0))

  test('then it runs the same image, and all are valid for the same games', async () => {
    const { enclaves, l1RpcUrl, contracts } = devnet
    expect(enclaves.map(({ kind, cid }) => [kind, cid])).toEqual([
      ['sim', 16],
      ['sim', 17],
      ['vm', 18],
    ])
    expect(new Set(enclaves.map(({ pcr0 }) => pcr0)).size).toBe(1)
    const l1 = createPublicClient({ transport: http(l1RpcUrl) })
    for (const { signer } of enclaves) {
      const valid = await l1.readContract({
        address: contracts.teeProverRegistry,
        abi: teeProverRegistryAbi,
        functionName: 'isValidSigner',
        args: [signer],
      })
      expect(valid).toBe(true)
    }
  })

  test('when it alone is valid, then it signs the proof, and TEEVerifier on L1 accepts it', {
    timeout: PATIENCE,
  }, async () => {
    const [first, second, inMachine] = devnet.enclaves
    for (const { signer } of [first!, second!]) await deregister(devnet, signer)
    const proposer = devnet.accounts[0]!.address
    const range = { from: FROM, to: TO, interval: INTERVAL, proposer }
    const proof = await proveRange({ ...devnet, ...range, clock: systemClock })
    const { aggregate_proposal: aggregate, proposals } = proof.Tee
    const journal = packByViem({
      proposer,
      l1OriginHash: aggregate.l1_origin_hash,
      prevOutputRoot: proposals[0]!.prev_output_root,
      startingL2Block: BigInt(FROM - 1),
      outputRoot: aggregate.output_root,
      endingL2Block: BigInt(TO),
      intermediateRoots: [proposals[1]!.output_root, proposals[3]!.output_root],
      configHash: aggregate.config_hash,
      teeImageHash: inMachine!.imageHash,
    })
    const { signature } = aggregate
    const recovered = await recoverAddress({ hash: keccak256(journal), signature })
    expect(recovered.toLowerCase()).toBe(inMachine!.signer)
    expect(await verifyOnL1(devnet, proof, range, inMachine!.imageHash)).toBe(true)
  })
})

describe.skipIf(!wanted)('a devnet that is interrupted while its machine boots', () => {
  test('then it leaves no process', { timeout: PATIENCE }, async () => {
    const flags = ['--json', '--port-base', '0', '--verbose']
    const rollbed = new RollbedProcess(['up', '--enclaves', 'vm', ...flags])
    await new Promise<void>((resolve) => {
      // The guest's kernel is up, its enclave is not.
      rollbed.child.stderr!.on('data', (text) => {
        if (String(text).includes('enclave machine')) resolve()
      })
    })
    const children = rollbed.descendants()
    expect(children.length).toBeGreaterThanOrEqual(3)
    const { stdout, exitCode } = await rollbed.stop('SIGINT')
    expect(stdout).toBe('')
    expect(exitCode).toBe(0)
    // Killed with it, though perhaps not yet gone.
    while (children.some(isRunning)) await new Promise(setImmediate)
  })
})

describe.skipIf(!wanted)('an image that does not start', () => {
  test('then its machine ends, and the error shows the console', {
    timeout: PATIENCE,
  }, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rb-'))
    try {
      const imageDir = join(directory, 'image')
      await buildImage({ outDir: imageDir, chains: [], transport: 'vsock' })
      writeFileSync(join(imageDir, imageFiles.program), 'throw new Error("bad image")')
      const launching = launchVmEnclave({
        cid: 16,
        imageDir,
        root: createSimRoot({ clock: systemClock, rng: systemRng }),
        clock: systemClock,
        rng: systemRng,
        logger: pino({ level: 'silent' }),
        workDir: directory,
      })
      // Not killed by us: a panic of the guest ends QEMU with code 0.
      await expect(launching).rejects.toMatchObject({
        code: 'ENCLAVE_START_FAILED',
        message: expect.stringMatching(/ended with code 0.*Error: bad image.*Kernel panic/s),
      })
      expect(readdirSync(directory)).toEqual(['image'])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

/** The owner of the registry takes a signer out of it. */
async function deregister({ l1RpcUrl, contracts }: DevnetDescription, signer: Hex): Promise<void> {
  const transport = http(l1RpcUrl)
  const account = privateKeyToAccount(owner.privateKey)
  const l1 = createPublicClient({ transport })
  const hash = await createWalletClient({ account, transport }).writeContract({
    chain: null,
    address: contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
    functionName: 'deregisterSigner',
    args: [signer],
  })
  await l1.waitForTransactionReceipt({ hash })
}

/** Three transfers, one after the other. */
async function sendTransfers({ rpcUrl, chainId, accounts }: DevnetDescription): Promise<Hash[]> {
  const chain = defineChain({
    id: chainId,
    name: 'rollbed',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const account = privateKeyToAccount(accounts[1]!.privateKey)
  const wallet = createWalletClient({ account, chain, transport: http() })
  const hashes: Hash[] = []
  for (let nonce = 0; nonce < 3; nonce++) {
    const to = accounts[2 + nonce]!.address
    hashes.push(await wallet.sendTransaction({ to, value: parseEther('1'), nonce }))
  }
  return hashes
}
