import type { Hex } from '../json-types.ts'
import { AddressLink, ether, Shown, Table } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { FaucetForm } from './faucet-form.tsx'

/** The dev accounts, and the faucet. */
export function Accounts() {
  const { devnet, node } = useDevnet()
  const { latest, flashblocks } = useLive()
  const accounts = useLoaded(async () => {
    const rows = devnet.accounts.map(async (address) => ({
      address,
      balance: await node.call<Hex>('eth_getBalance', [address, 'pending']),
      nonce: Number(await node.call<Hex>('eth_getTransactionCount', [address, 'pending'])),
    }))
    return Promise.all(rows)
  }, [latest, flashblocks.length])
  return (
    <>
      <h1>Accounts</h1>
      <Shown loaded={accounts}>
        {(rows) => (
          <Table
            title="Dev accounts, with what is pre-confirmed"
            columns={['Address', 'Balance', 'Nonce']}
            rows={rows.map(({ address, balance, nonce }) => ({
              key: address,
              cells: [<AddressLink key="a" address={address} full />, ether(balance), nonce],
            }))}
          />
        )}
      </Shown>
      <h2>Faucet</h2>
      <FaucetForm />
    </>
  )
}
