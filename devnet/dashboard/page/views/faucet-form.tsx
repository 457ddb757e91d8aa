import { parseEther } from 'viem'
import { Action } from '../action.tsx'
import type { Hex } from '../json-types.ts'
import { TransactionLink } from '../parts.tsx'
import { useDevnet } from '../use-live.ts'

/** Gives ether to an address; asks for the address where none is given. */
export function FaucetForm({ address }: { address?: Hex }) {
  const { node } = useDevnet()
  const give = async (fields: FormData) => {
    const wei = parseEther(String(fields.get('ether')))
    const to = address ?? String(fields.get('address')).trim()
    const hash = await node.call<Hex>('rollbed_faucet', [to, `0x${wei.toString(16)}`])
    return (
      <>
        Sent by <TransactionLink hash={hash} />.
      </>
    )
  }
  return (
    <Action label="Give ether" run={give}>
      {!address && (
        <label>
          Address
          <input name="address" required size={44} autocomplete="off" spellcheck={false} />
        </label>
      )}
      <label>
        Ether
        <input name="ether" defaultValue="100" required size={8} inputMode="decimal" />
      </label>
    </Action>
  )
}
