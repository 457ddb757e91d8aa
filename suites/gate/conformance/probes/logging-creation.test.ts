import { createEVM } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { expect, it } from 'vitest'
import { toWord } from '../reads/eth-call.ts'
import { LOG_PROBE } from './contracts.ts'
import { loggingCreation } from './logging-creation.ts'

const EMITTER = `0x${'ee'.repeat(20)}` as const
const [OWN, KEPT, UNDONE] = [toWord(1), toWord(2), toWord(3)]

it('given code that logs as it is created, when an independent EVM runs it, then only what was undone is missing', async () => {
  const evm = await createEVM()
  await evm.stateManager.putCode(createAddressFromString(EMITTER), hexToBytes(LOG_PROBE))
  const depths: number[] = []
  evm.events!.on('step', ({ opcode, depth }, next) => {
    if (opcode.name.startsWith('LOG')) depths.push(depth)
    next?.()
  })
  const { execResult, createdAddress } = await evm.runCall({
    data: hexToBytes(
      loggingCreation({
        emitter: EMITTER,
        topic: OWN,
        kept: [{ topics: [KEPT], data: OWN }],
        undone: [{ topics: [UNDONE], data: '0x' }],
      }),
    ),
    gasLimit: 1_000_000n,
    skipBalance: true,
  })
  expect(execResult.exceptionError).toBeUndefined()
  const logs = execResult.logs!.map(([address, topics, data]) => [
    bytesToHex(address),
    topics.map((topic) => bytesToHex(topic)),
    bytesToHex(data),
  ])
  expect(logs).toEqual([
    [createdAddress!.toString(), [OWN], '0x'],
    [EMITTER, [KEPT], OWN],
  ])
  // The constructor, the emitter in the frame that is undone, the emitter again.
  expect(depths).toEqual([0, 2, 1])
})
