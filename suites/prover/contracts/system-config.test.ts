import { encodeAbiParameters, parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import { systemConfigAbi } from '#fixtures/contracts/SystemConfig.abi'
import { type ProofStack, startProofStack, systemConfig } from './proof-stack.ts'

let stack: ProofStack

beforeAll(async () => {
  stack = await startProofStack()
})

afterAll(() => stack.stop())

const contract = () => ({ address: stack.contracts.systemConfig, abi: systemConfigAbi })
const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
const account = userKeys[5]!.address

// OP spec: system-config "ConfigUpdate", holocene, isthmus and jovian/system-config.
test.each([
  ['setBatcherHash', [word(BigInt(account))], 0, word(BigInt(account))],
  [
    'setGasConfigEcotone',
    [0x1111, 0x2222],
    1,
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }],
      [0n, (1n << 248n) | (0x2222n << 32n) | 0x1111n],
    ),
  ],
  ['setGasLimit', [40_000_000n], 2, word(40_000_000n)],
  ['setUnsafeBlockSigner', [account], 3, word(BigInt(account))],
  ['setEIP1559Params', [50, 4], 4, word((50n << 32n) | 4n)],
  ['setOperatorFeeScalars', [7, 9n], 5, word((7n << 64n) | 9n)],
  ['setMinBaseFee', [123n], 6, word(123n)],
  ['setDAFootprintGasScalar', [401], 7, word(401n)],
] as const)(
  'given the owner, when it calls %s, then ConfigUpdate says so',
  async (name, args, kind, data) => {
    const receipt = await stack.send(stack.owner, {
      ...contract(),
      functionName: name,
      args,
    } as never)
    const [event] = parseEventLogs({
      abi: systemConfigAbi,
      eventName: 'ConfigUpdate',
      logs: receipt.logs,
    })
    expect(event?.args).toEqual({ version: 0n, updateType: kind, data })
    expect(
      await stack.revertOf(userKeys[0]!, { ...contract(), functionName: name, args } as never),
    ).toBe('Ownable: caller is not the owner')
  },
)

test('given a new chain, then batcher, scalars, gas limit and signer are announced on L1', async () => {
  const logs = await stack.client.getContractEvents({
    ...contract(),
    eventName: 'ConfigUpdate',
    fromBlock: 0n,
    toBlock: 1n,
  })
  expect(logs.map(({ args }) => [args.updateType, args.data])).toMatchObject([
    [0, word(BigInt(systemConfig.batcherAddress))],
    [
      1,
      encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'uint256' }],
        [0n, BigInt(systemConfig.scalar)],
      ),
    ],
    [2, word(systemConfig.gasLimit)],
    [3, expect.any(String)],
  ])
})

test.each([20_999_999n, 500_000_001n])(
  'given a gas limit of %i, then it is refused',
  async (limit) => {
    const call = { ...contract(), functionName: 'setGasLimit', args: [limit] } as const
    expect(await stack.revertOf(stack.owner, call)).toMatch(
      /^SystemConfig: gas limit too (low|high)$/,
    )
  },
)
