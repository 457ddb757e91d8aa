import { Action } from '../action.tsx'
import type { BlockJson, Hex } from '../json-types.ts'
import { BlockLink, BlockTime, Fields, Time } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** The chain's time, and what moves it. */
export function Clock() {
  const { node } = useDevnet()
  const { blocks, pending } = useLive()
  const latest = blocks[0]
  const interval = useLoaded(() => node.call<number | null>('anvil_getIntervalMining'), [], true)
  const seconds = (fields: FormData) => Number(fields.get('seconds'))
  const seal = async () => {
    const block = await node.call<BlockJson>('rollbed_seal')
    return (
      <>
        Sealed block <BlockLink number={Number(block.number)} />.
      </>
    )
  }
  const flashblock = async () => {
    const block = await node.call<BlockJson>('rollbed_flashblock')
    return `${block.transactions.length} transactions are pre-confirmed.`
  }
  const increase = async (fields: FormData) => {
    await node.call('evm_increaseTime', [seconds(fields)])
    return `The next block comes ${seconds(fields)} seconds later.`
  }
  const pace = async (fields: FormData) => {
    await node.call('evm_setIntervalMining', [seconds(fields)])
    return seconds(fields) ? `A block every ${seconds(fields)} seconds.` : 'No block by itself.'
  }
  const snapshot = async () => `Snapshot ${await node.call<Hex>('evm_snapshot')}.`
  const revert = async (fields: FormData) => {
    const isDone = await node.call<boolean>('evm_revert', [String(fields.get('id')).trim()])
    return isDone ? 'Back at the snapshot.' : 'There is no such snapshot.'
  }
  return (
    <>
      <h1>Clock</h1>
      <Fields
        of={{
          'Newest block': latest && <BlockTime block={latest} />,
          'Block under construction': pending && <Time seconds={pending.timestamp} />,
          'Seconds between blocks': interval.value === null ? 'none by itself' : interval.value,
        }}
      />
      <h2>Step</h2>
      <Action label="Make a flashblock" run={flashblock} />
      <Action label="Seal the block" run={seal} />
      <h2>Move time</h2>
      <Action label="Increase" run={increase}>
        <label>
          Seconds
          <input name="seconds" type="number" defaultValue="3600" min={0} required />
        </label>
      </Action>
      <Action label="Set pace" run={pace}>
        <label>
          Seconds between blocks, 0 for none
          <input name="seconds" type="number" defaultValue="2" min={0} required />
        </label>
      </Action>
      <h2>Go back</h2>
      <Action label="Take a snapshot" run={snapshot} />
      <Action label="Revert" run={revert}>
        <label>
          Snapshot
          <input name="id" required autocomplete="off" />
        </label>
      </Action>
    </>
  )
}
