import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { JsonCommand } from '#devnet/cli/json-outputs'
import { run } from '#devnet/cli/run'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'

/** What commands that need a devnet print, held to the schemas that the package has for them. */

const BLOCKS = 6

let devnet: Devnet
let folder: string
const fileOf = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  devnet = await startDevnet({ faults: true, logLevel: 'silent' })
  writeFileSync(fileOf('devnet.json'), JSON.stringify(devnet.description))
  await devnet.passTime(2 * BLOCKS)
  const { proverUrl } = devnet.description
  const documents = await httpRpcClient(proverUrl).request('enclave_signerAttestation', [])
  const [document] = documents as number[][]
  writeFileSync(fileOf('document.cbor'), Uint8Array.from(document!))
  writeFileSync(fileOf('root.der'), hexToBytes(devnet.description.attestationRoot))
  writeFileSync(
    fileOf('proof.json'),
    await outputOf('prove', ['--from', '1', '--to', '5', '--config', fileOf('devnet.json')]),
  )
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => vi.restoreAllMocks())

/** Runs a command as a shell would. */
async function outputOf(command: JsonCommand, args: readonly string[]): Promise<string> {
  let output = ''
  vi.spyOn(console, 'log').mockImplementation((line) => {
    output += `${line}\n`
  })
  const said = vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
  const exitCode = await run([...command.split(' '), ...args, '--json'])
  const errors = said.mock.calls.join('\n')
  vi.restoreAllMocks()
  expect(exitCode, errors).toBe(0)
  return output
}

test('given the description of a devnet, then it is what `rollbed up --json` promises', () => {
  expectFitsSchema('up', JSON.stringify(devnet.description))
})

/** For whom `rollbed prove` asks unless told. */
const PROPOSER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BEEF = '0x000000000000000000000000000000000000bEEF'
type Args = (devnet: Devnet['description']) => string[]
const CASES: readonly (readonly [JsonCommand, Args])[] = [
  ['prove', () => ['--from', '1', '--to', '5', '--config', fileOf('devnet.json')]],
  [
    'journal audit',
    ({ l1RpcUrl, enclaves }) => [
      ...[fileOf('proof.json'), '--l1', l1RpcUrl],
      ...['--proposer', PROPOSER, '--image-hash', enclaves[0]!.imageHash!],
    ],
  ],
  ['attestation inspect', () => [fileOf('document.cbor')]],
  [
    'attestation verify',
    () => [fileOf('document.cbor'), '--root', fileOf('root.der'), '--at', 'document'],
  ],
  ['faucet', ({ rpcUrl }) => [BEEF, '--amount', '1', '--rpc', rpcUrl]],
  ['attribution stats', ({ rpcUrl }) => ['--from', '0', '--rpc', rpcUrl]],
  [
    'follow',
    ({ l1RpcUrl, l1BeaconUrl, rollupRpcUrl, rpcUrl }) => [
      ...['--l1', l1RpcUrl, '--beacon', l1BeaconUrl, '--rollup', rollupRpcUrl],
      ...['--against', rpcUrl, '--to', '3'],
    ],
  ],
  [
    'conform',
    ({ rpcUrl }) => ['--rpc', rpcUrl, '--only', 'rpc.simulate.order.01', '--effort', 'quick'],
  ],
  [
    'fault inject',
    ({ rpcUrl }) => ['link:host-l1', 'latency', '--with', 'latency=1', '--rpc', rpcUrl],
  ],
  ['fault clear', ({ rpcUrl }) => ['--rpc', rpcUrl]],
  [
    'actors registrar',
    ({ l1RpcUrl, proverUrl, contracts }) => [
      ...['--once', '--l1', l1RpcUrl, '--prover', proverUrl],
      ...['--registry', contracts.teeProverRegistry, '--trusted-root', fileOf('root.der')],
    ],
  ],
  ['state export', ({ rpcUrl }) => [fileOf('pod.state'), '--rpc', rpcUrl]],
  ['state import', ({ rpcUrl }) => [fileOf('pod.state'), '--rpc', rpcUrl]],
]

test.each(CASES)('given %s, then its output fits its schema', async (command, args) => {
  expectFitsSchema(command, await outputOf(command, args(devnet.description)))
})
