import { Action } from '../action.tsx'
import { CopyButton } from '../copy-button.tsx'
import type { Hex } from '../json-types.ts'
import { ether, Fields, Shown, useLabel } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { ContractPanel } from './contract-panel.tsx'
import { FaucetForm } from './faucet-form.tsx'
import { PastTransactions } from './past-transactions.tsx'

/** An account or contract. */
export function Address({ id }: { id: string }) {
  if (/^0x[0-9a-f]{40}$/i.test(id)) return <Account address={id as Hex} />
  return (
    <>
      <h1>Address</h1>
      <p class="bytes">
        <code>{id}</code> is none: an address is 0x and 40 hexadecimal digits.
      </p>
    </>
  )
}

/** Balance, code, storage, and what it took part in. */
function Account({ address }: { address: Hex }) {
  const { node } = useDevnet()
  const { latest, flashblocks } = useLive()
  const label = useLabel(address)
  const account = useLoaded(async () => {
    const [balance, nonce, code] = await Promise.all([
      node.call<Hex>('eth_getBalance', [address, 'pending']),
      node.call<Hex>('eth_getTransactionCount', [address, 'pending']),
      node.call<Hex>('eth_getCode', [address, 'pending']),
    ])
    return { balance, nonce, code }
  }, [address, latest, flashblocks.length])
  const readSlot = async (fields: FormData) => {
    const slot = BigInt(String(fields.get('slot')).trim())
    const value = await node.call<Hex>('eth_getStorageAt', [
      address,
      `0x${slot.toString(16).padStart(64, '0')}`,
      'pending',
    ])
    return <code>{value}</code>
  }
  return (
    <>
      <h1>{label ?? 'Address'}</h1>
      <p class="bytes">
        <code>{address}</code> <CopyButton text={address} what="address" />
      </p>
      <Shown loaded={account}>
        {({ balance, nonce, code }) => (
          <>
            <Fields
              of={{
                Balance: ether(balance),
                Nonce: Number(nonce),
                Code: code === '0x' ? 'none' : `${(code.length - 2) / 2} bytes`,
              }}
            />
            {code !== '0x' && (
              <details>
                <summary>Code</summary>
                <code class="bytes">{code}</code>
              </details>
            )}
          </>
        )}
      </Shown>
      <ContractPanel key={address} address={address} />
      <h2>Faucet</h2>
      <FaucetForm address={address} />
      <h2>Storage</h2>
      <Action label="Read slot" run={readSlot}>
        <label>
          Slot, decimal or hexadecimal
          <input name="slot" defaultValue="0" required size={30} autocomplete="off" />
        </label>
      </Action>
      <h2>Transactions</h2>
      <PastTransactions key={address} address={address} />
    </>
  )
}
