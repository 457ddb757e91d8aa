import { CONTRACT_NAMES } from '../contract-names.ts'
import type { Hex } from '../json-types.ts'
import { AddressLink, BlockLink, Table, TransactionLink } from '../parts.tsx'
import { useDevnet, useLive } from '../use-live.ts'
import { PastPages } from './past-pages.tsx'

interface Created {
  address: Hex
  creator: Hex
  transactionHash: Hex
  blockNumber: Hex
}

/** Contracts that were created here, and those that every OP chain has. */
export function Contracts() {
  const { node } = useDevnet()
  const { latest } = useLive()
  return (
    <>
      <h1>Contracts</h1>
      <PastPages
        newest={latest}
        load={async (start) => {
          const page = await node.call<{ contracts: Created[]; before: Hex | null }>(
            'rollbed_contracts',
            start ? [start] : [],
          )
          return { found: page.contracts, before: page.before }
        }}
      >
        {(contracts) => (
          <Table
            title="Created here, newest first"
            empty="Nobody has created a contract yet."
            columns={['Contract', 'By', 'In block', 'Transaction']}
            rows={contracts.map(({ address, creator, transactionHash, blockNumber }) => ({
              key: address,
              cells: [
                <AddressLink key="a" address={address} />,
                <AddressLink key="c" address={creator} />,
                <BlockLink key="b" number={Number(blockNumber)} />,
                <TransactionLink key="t" hash={transactionHash} />,
              ],
            }))}
          />
        )}
      </PastPages>
      <h2>There from the start</h2>
      <Table
        title="Predeploys and preinstalls"
        columns={['Contract']}
        rows={Object.keys(CONTRACT_NAMES).map((address) => ({
          key: address,
          cells: [<AddressLink key="a" address={address as Hex} />],
        }))}
      />
    </>
  )
}
