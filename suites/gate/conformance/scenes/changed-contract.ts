import { getContractAddress } from 'viem'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectQuantity } from '../matchers/expect-hex.ts'
import { deployment } from '../probes/assembly.ts'
import { STORE_PROBE } from '../probes/contracts.ts'
import { toWord, words } from '../reads/eth-call.ts'
import { findTransaction } from '../reads/get-block.ts'
import { readAll } from '../reads/read-all.ts'
import type { Hex } from '../wire/hex.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { ifListed, inOneWindow } from './in-one-window.ts'

/** What the constructor writes into slot 0, and the topic of what it logs. */
export const CREATED_VALUE = toWord(0xc0de)
export const CREATED_TOPIC = toWord(0x10c0de)
const SLOT = toWord(0)
/** A sender whose money and nonces no case counts on. */
const ACCOUNT = 5
const GAS = 300_000n

/** Slot 0 of the contract at pending, read in three ways, and its logs there. */
export type ContractReads = Record<keyof ReturnType<typeof readsOf>, RpcReply>

/** A contract as pending shows it, first when its creation is pre-confirmed, then when the clearing of its slot is. */
export interface ChangedContract {
  address: Hex
  created: ContractReads
  cleared: ContractReads
}

export const changedContract: Scene<ChangedContract> = {
  name: 'changed contract',
  kind: 'observation',
  async build(t) {
    const { driver, rpc } = t
    const send = async (data: Hex, to?: Hex) => [
      await driver.send({ account: ACCOUNT, data, gas: GAS, ...(to && { to }) }),
    ]
    const initCode = deployment(
      STORE_PROBE,
      `${CREATED_VALUE} PUSH0 SSTORE ${CREATED_TOPIC} PUSH0 PUSH0 LOG1`,
    )
    const whileCreated = await inOneWindow(
      t,
      () => send(initCode),
      async ({ sent: [hash] }) => {
        const address = await createdBy(t, hash!)
        return address && { address, created: await readAll(rpc, readsOf(address)) }
      },
    )
    const { address, created } = ifListed(whileCreated)
    const cleared = await inOneWindow(
      t,
      () => send(words(SLOT, 0), address),
      () => readAll(rpc, readsOf(address)),
    )
    return { address, created, cleared: ifListed(cleared) }
  },
}

/** The address that follows from sender and nonce, before there is a receipt. */
async function createdBy({ rpc }: CaseContext, hash: Hex): Promise<Hex | undefined> {
  const own = await findTransaction(rpc, 'pending', hash)
  if (!own) return undefined
  return getContractAddress({ from: own.from as Hex, nonce: expectQuantity(own.nonce, 'nonce') })
}

function readsOf(address: Hex) {
  const read = { to: address, data: SLOT }
  return {
    call: ['eth_call', [read, 'pending']],
    storage: ['eth_getStorageAt', [address, SLOT, 'pending']],
    simulate: ['eth_simulateV1', [{ blockStateCalls: [{ calls: [read] }] }, 'pending']],
    logs: ['eth_getLogs', [{ address, fromBlock: 'pending', toBlock: 'pending' }]],
  } as const
}
