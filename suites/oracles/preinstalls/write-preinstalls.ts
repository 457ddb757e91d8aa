import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { createAddressFromString, hexToBytes } from '@ethereumjs/util'
import {
  bytesToHex,
  concat,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  stringToBytes,
} from 'viem'
import { l2ChainId } from '#fixtures/chain/constants'
import { PREINSTALLS_FILE, type Preinstall } from '#fixtures/preinstalls/load-preinstalls'
import { lane } from '#suites/lane'

/** Each is fetched as npm packs it; exact versions, because fixtures are made again and compared. */
const PACKAGES = {
  bedrock: '@eth-optimism/contracts-bedrock@0.17.3',
  entryPoint07: '@account-abstraction/contracts@0.7.0',
  entryPoint08: '@account-abstraction/contracts@0.8.0',
  safe: '@safe-global/safe-contracts@1.4.1',
} as const

/** In genesis where Base and other OP chains have them. */
const OF_OP_STACK = {
  Multicall3: ['MultiCall3', 'MIT'],
  Create2Deployer: ['Create2Deployer', 'MIT'],
  SafeSingletonFactory: ['SafeSingletonFactory', 'MIT'],
  'Safe 1.3.0': ['Safe_v130', 'LGPL-3.0'],
  'SafeL2 1.3.0': ['SafeL2_v130', 'LGPL-3.0'],
  'MultiSend 1.3.0': ['MultiSend_v130', 'LGPL-3.0'],
  'MultiSendCallOnly 1.3.0': ['MultiSendCallOnly_v130', 'LGPL-3.0'],
  'SenderCreator 0.6': ['SenderCreator', 'GPL-3.0'],
  'EntryPoint 0.6': ['EntryPoint', 'GPL-3.0'],
} as const

const DETERMINISTIC_PROXY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SAFE_FACTORY = '0x914d7fec6aac8cd542e72bca78b30650d45643d7'
/** The salts that gave the entry points their addresses. */
const SALTS = {
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
} as const
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/**
 * Writes `fixtures/preinstalls/preinstalls.json`: contracts that stand on every chain of the OP stack or
 * are put there by everybody, as their packages have them. Where only creation code is published it runs
 * in a second EVM, at the address that CREATE2 gives it.
 */
async function writePreinstalls(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-preinstalls-'))
  try {
    const preinstalls = [
      ...ofOpStack(fetched(folder, 'bedrock')),
      await createX(),
      ...(await entryPoint(fetched(folder, 'entryPoint07'), '0.7', PACKAGES.entryPoint07)),
      ...(await entryPoint(fetched(folder, 'entryPoint08'), '0.8', PACKAGES.entryPoint08)),
      ...(await safes(fetched(folder, 'safe'))),
    ]
    writeFileSync(PREINSTALLS_FILE, `${JSON.stringify(preinstalls, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks a package of npm. @returns its folder */
function fetched(folder: string, name: keyof typeof PACKAGES): string {
  const args = ['pack', '--json', '--pack-destination', folder, PACKAGES[name]]
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }))
  const target = join(folder, name)
  execFileSync('mkdir', [target])
  execFileSync('tar', ['xzf', join(folder, filename), '-C', target])
  return join(target, 'package')
}

function ofOpStack(folder: string): Preinstall[] {
  const source = readFileSync(join(folder, 'src/libraries/Preinstalls.sol'), 'utf8')
  const constant = (pattern: string): Hex => {
    const [, found] = new RegExp(pattern).exec(source) ?? []
    if (!found) throw new Error(`Preinstalls.sol has no ${pattern}.`)
    return (found.startsWith('0x') ? found : `0x${found}`).toLowerCase() as Hex
  }
  const code = (name: string) => constant(`bytes internal constant ${name} =\\s*hex"([0-9a-f]+)"`)
  const from = PACKAGES.bedrock
  const fixed = Object.entries(OF_OP_STACK).map(([name, [word, licence]]) => ({
    ...{ name, address: constant(`address internal constant ${word} = (0x[0-9a-fA-F]{40})`) },
    ...{ code: code(`${word}Code`), from, licence },
  }))
  const permit2 = permit2Code(code('Permit2TemplateCode'), source)
  return [...fixed, { name: 'Permit2', address: PERMIT2, code: permit2, from, licence: 'MIT' }]
}

/** Two words of Permit2 are of the chain; Preinstalls.sol says where they stand. */
function permit2Code(template: Hex, source: string): Hex {
  const type = 'EIP712Domain(string name,uint256 chainId,address verifyingContract)'
  const domain = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
    [
      keccak256(stringToBytes(type)),
      keccak256(stringToBytes('Permit2')),
      BigInt(l2ChainId),
      PERMIT2,
    ],
  )
  const bytes = Buffer.from(template.slice(2), 'hex')
  const at = (name: string) => {
    const [, offset] =
      new RegExp(`mstore\\(add\\(add\\(out_, 0x20\\), (\\d+)\\), ${name}\\)`).exec(source) ?? []
    return Number(offset)
  }
  bytes.set(hexToBytes(`0x${l2ChainId.toString(16).padStart(64, '0')}`), at('_chainID'))
  bytes.set(hexToBytes(keccak256(domain)), at('domainSeparator'))
  return bytesToHex(bytes)
}

/** By the transaction that its author signed once for all chains. */
async function createX(): Promise<Preinstall> {
  const { presignedTx } = await lane('clients').load<{ presignedTx: Hex }>(
    '@nomicfoundation/ignition-core/dist/src/internal/execution/strategy/createx-artifact.js',
  )
  const { data, nonce } = parseTransaction(presignedTx)
  const caller = await recoverTransactionAddress({ serializedTransaction: presignedTx as never })
  const chain = await emptyChain()
  await chain.install(caller, '0x', BigInt(nonce ?? 0))
  const address = getContractAddress({ from: caller, nonce: BigInt(nonce ?? 0) })
  await chain.create(caller, data!)
  return {
    ...{
      name: 'CreateX',
      address: address.toLowerCase() as Hex,
      code: await chain.codeAt(address),
    },
    ...{ from: '@nomicfoundation/ignition-core', licence: 'AGPL-3.0-only' },
  }
}

async function entryPoint(
  folder: string,
  version: '0.7' | '0.8',
  from: string,
): Promise<Preinstall[]> {
  const file = join(folder, 'artifacts', 'EntryPoint.json')
  const { bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { bytecode: Hex }
  const chain = await emptyChain()
  await chain.install(DETERMINISTIC_PROXY, proxyCode())
  const address = await chain.create2(DETERMINISTIC_PROXY, SALTS[version], bytecode)
  const senderCreator = getContractAddress({ from: address, nonce: 1n }).toLowerCase() as Hex
  const origin = { from, licence: 'GPL-3.0' }
  return [
    { name: `EntryPoint ${version}`, address, code: await chain.codeAt(address), ...origin },
    {
      name: `SenderCreator ${version}`,
      address: senderCreator,
      code: await chain.codeAt(senderCreator),
      ...origin,
    },
  ]
}

/** All contracts of Safe 1.4.1 that need no argument. */
async function safes(folder: string): Promise<Preinstall[]> {
  const contracts = join(folder, 'build', 'artifacts', 'contracts')
  const chain = await emptyChain()
  await chain.install(SAFE_FACTORY, proxyCode())
  const wanted = [
    ...['Safe', 'SafeL2', 'SafeProxyFactory', 'MultiSend', 'MultiSendCallOnly', 'CreateCall'],
    ...['CompatibilityFallbackHandler', 'SignMessageLib', 'SimulateTxAccessor'],
  ]
  const files = readdirSync(contracts, { recursive: true, encoding: 'utf8' })
  const made: Preinstall[] = []
  for (const name of wanted) {
    const file = files.find((it) => it.endsWith(`/${name}.json`))
    const { bytecode } = JSON.parse(readFileSync(join(contracts, file!), 'utf8')) as {
      bytecode: Hex
    }
    const address = await chain.create2(SAFE_FACTORY, `0x${'00'.repeat(32)}`, bytecode)
    made.push({
      ...{ name: `${name} 1.4.1`, address, code: await chain.codeAt(address) },
      ...{ from: PACKAGES.safe, licence: 'LGPL-3.0' },
    })
  }
  return made
}

/** Arachnid's proxy, which Safe uses too: 32 bytes of salt, then creation code. */
function proxyCode(): Hex {
  return '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
}

async function emptyChain() {
  const common = new Common({
    chain: { ...Mainnet, chainId: l2ChainId, name: 'rollbed' },
    hardfork: Hardfork.Prague,
  })
  const evm = await createEVM({ common })
  const at = (address: string) => createAddressFromString(address.toLowerCase())
  const run = async (call: { caller?: string; to?: string; data: Hex }) => {
    const { execResult, createdAddress } = await evm.runCall({
      ...(call.caller && { caller: at(call.caller) }),
      ...(call.to && { to: at(call.to) }),
      ...{ data: hexToBytes(call.data), gasLimit: 30_000_000n },
    })
    if (execResult.exceptionError) throw new Error(execResult.exceptionError.error)
    return createdAddress
  }
  return {
    async install(address: string, code: Hex, nonce = 1n) {
      const { Account } = await import('@ethereumjs/util')
      await evm.stateManager.putAccount(at(address), new Account(nonce))
      await evm.stateManager.putCode(at(address), hexToBytes(code))
    },
    create: (caller: string, data: Hex) => run({ caller, data }),
    async create2(factory: Hex, salt: Hex, initCode: Hex): Promise<Hex> {
      await run({ to: factory, data: concat([salt, initCode]) })
      const address = getContractAddress({
        opcode: 'CREATE2',
        from: factory,
        salt,
        bytecode: initCode,
      })
      return address.toLowerCase() as Hex
    },
    async codeAt(address: string): Promise<Hex> {
      const code = await evm.stateManager.getCode(at(address))
      if (code.length === 0) throw new Error(`Nothing was created at ${address}.`)
      return bytesToHex(code)
    },
  }
}

await writePreinstalls()
