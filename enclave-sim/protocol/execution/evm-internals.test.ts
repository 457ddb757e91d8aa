import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { hexToBytes } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { createMachine } from './machine.ts'

/** PUSH1 0x2a, PUSH0, MSTORE, PUSH1 32, PUSH0, REVERT. */
const REVERTS_WITH_42 = hexToBytes('0x602a5f5260205ffd')

/** What the EVM tells a tracer that REVERT is about to give back. */
async function revertDataSeen(evm: EVM): Promise<unknown> {
  let seen: unknown
  const onStep: Parameters<typeof evm.events.on<'step'>>[1] = ({ opcode, error }, next) => {
    if (opcode.name === 'REVERT') seen = error
    next?.()
  }
  evm.events.on('step', onStep)
  await evm.runCode({ code: REVERTS_WITH_42, gasLimit: 100_000n })
  evm.events.off('step', onStep)
  return seen
}

test('given an EVM that somebody else made, when ours exist beside it, then its tracer is told the revert data', async () => {
  const { evm: ours } = await createMachine({ chainId: 84_538_453n, fork: 'jovian' })
  const common = createCustomCommon({}, Mainnet, { hardfork: Hardfork.Prague })
  const theirs = await createEVM({ common })

  expect(await revertDataSeen(theirs)).toEqual(hexToBytes(`0x${'2a'.padStart(64, '0')}`))
  // Ours does not read it: REVERT may name more memory than there is gas for.
  expect(await revertDataSeen(ours)).toEqual(new Uint8Array(0))
})
