import { keccak256, stringToBytes } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import { roleKeys, testMnemonic, userKeys } from '#fixtures/chain/dev-keys'
import { systemContracts } from '#fixtures/chain/system-contracts'
import { loadContract } from '#fixtures/contracts/load-contract'
import { type L2AllocParameters, l2Alloc } from './l2-alloc.ts'

// base/base, base_time.rs of the EVM; the slots are those of EIP-1967.
const BASE_TIME = '0x4200000000000000000000000000000000000030'
const IMPLEMENTATION = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30030'
const LINK = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const ADMIN = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

const parameters: L2AllocParameters = {
  fork: 'jovian',
  chainId: 84538453,
  accounts: userKeys.map(({ address }) => address),
  feeRecipient: roleKeys.sequencer.address,
  l1CrossDomainMessenger: `0x${'a1'.repeat(20)}`,
  l1StandardBridge: `0x${'a2'.repeat(20)}`,
  l1ERC721Bridge: `0x${'a3'.repeat(20)}`,
}

describe('l2Alloc', () => {
  test('given the same parameters, then it is the same state', () => {
    expect(l2Alloc(parameters)).toEqual(l2Alloc(parameters))
  })

  test('given its keys, then they are lower-case addresses, slots and values of full length', () => {
    for (const [address, { code, storage = {} }] of Object.entries(l2Alloc(parameters))) {
      expect(address).toMatch(/^0x[0-9a-f]{40}$/)
      if (code) expect(code).toMatch(/^0x([0-9a-f]{2})+$/)
      for (const word of Object.entries(storage).flat()) expect(word).toMatch(/^0x[0-9a-f]{64}$/)
    }
  })

  test('given ten accounts, then each holds 10,000 ether and nothing else', () => {
    const alloc = l2Alloc(parameters)
    for (const { address } of userKeys) expect(alloc[address]).toEqual({ balance: 10n ** 22n })
  })

  test('given every predeploy, then it has code and nonce 1', () => {
    const alloc = l2Alloc(parameters)
    for (const address of Object.values(predeploys)) {
      expect(alloc[address]).toMatchObject({ nonce: 1n, code: expect.stringMatching(/^0x6080/) })
    }
  })

  test('given a chain that crosses Denim, then the proxy of BaseTime waits, and where Denim holds at genesis it works', () => {
    const [none, waits, works] = [undefined, 'waits', 'works'].map((baseTime) =>
      l2Alloc({ ...parameters, baseTime } as L2AllocParameters),
    )
    expect(none![BASE_TIME]).toBeUndefined()
    const admin = { [ADMIN]: `0x${'42'.padEnd(38, '0')}18`.replace('0x', `0x${'0'.repeat(24)}`) }
    expect(waits![BASE_TIME]).toMatchObject({ nonce: 1n, storage: admin })
    expect(waits![IMPLEMENTATION]).toBeUndefined()
    const { deployedBytecode } = loadContract('BaseTime')
    expect(works![IMPLEMENTATION]).toEqual({ code: deployedBytecode })
    expect(works![BASE_TIME]?.storage).toEqual({
      ...admin,
      [LINK]: `0x${IMPLEMENTATION.slice(2).padStart(64, '0')}`,
    })
  })

  test('given a fork, then only the gas price oracle differs', () => {
    const jovian = l2Alloc(parameters)
    const isthmus = l2Alloc({ ...parameters, fork: 'isthmus' })
    const different = Object.keys(jovian).filter(
      (address) =>
        JSON.stringify(jovian[address as never], text) !==
        JSON.stringify(isthmus[address as never], text),
    )
    expect(different).toEqual([predeploys.gasPriceOracle])
  })
})

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

// Code hashes: EIP-2935, EIP-4788 as deployed on mainnet, and Arachnid's repository.
test.each([
  ['historyStorage', '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d'],
  ['beaconRoots', '0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02c'],
  ['create2Deployer', '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989'],
] as const)('given %s, then its code is the one every chain has', (name, hash) => {
  expect(keccak256(systemContracts[name].code)).toBe(hash)
})

test('given the dev keys, then they come from the test mnemonic and the role names', () => {
  userKeys.forEach(({ address, privateKey }, addressIndex) => {
    const account = mnemonicToAccount(testMnemonic, { addressIndex })
    expect(address).toBe(account.address.toLowerCase())
    expect(privateKeyToAccount(privateKey).address).toBe(account.address)
  })
  for (const [role, { address, privateKey }] of Object.entries(roleKeys)) {
    expect(privateKey).toBe(keccak256(stringToBytes(`rollbed dev key: ${role}`)))
    expect(address).toBe(privateKeyToAccount(privateKey).address.toLowerCase())
  }
})
