import { Action } from '../action.tsx'
import type { Hex } from '../json-types.ts'
import { AddressLink, count, Shown, Table } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

interface Stats {
  fromBlock: Hex
  toBlock: Hex
  codes: { code: string; wallet: Hex | null; transactions: Hex; gas: Hex }[]
}

/** Builder codes: who was credited lately, and a way to register. */
export function Codes() {
  const { devnet, node } = useDevnet()
  const { latest } = useLive()
  const stats = useLoaded(() => node.call<Stats>('rollbed_attributionStats'), [latest])
  const register = async (fields: FormData) => {
    const response = await fetch(`${devnet.apiUrl}/v1/agents/builder-codes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: String(fields.get('wallet')).trim() }),
    })
    const { builderCode, error } = await response.json()
    if (error) throw new Error(error.message)
    return (
      <>
        The code is <code>{builderCode}</code>.
      </>
    )
  }
  return (
    <>
      <h1>Builder codes</h1>
      <Shown loaded={stats}>
        {({ codes, fromBlock, toBlock }) => (
          <Table
            title={`Credited in blocks ${Number(fromBlock)} to ${Number(toBlock)} and what is pre-confirmed`}
            empty="No transaction carried a code yet."
            columns={['Code', 'Wallet', 'Transactions', 'Gas of the suffixes']}
            rows={codes.map(({ code, wallet, transactions, gas }) => ({
              key: code,
              cells: [
                code,
                wallet ? <AddressLink key="w" address={wallet} /> : 'not registered',
                count(transactions),
                count(gas),
              ],
            }))}
          />
        )}
      </Shown>
      <h2>Register</h2>
      <Action label="Get a code" run={register}>
        <label>
          Wallet
          <input name="wallet" required size={44} autocomplete="off" spellcheck={false} />
        </label>
      </Action>
    </>
  )
}
