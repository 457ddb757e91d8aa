import type { ProofRecord } from '#devnet/proving/prover/proof-service'
import { asSecond } from '../browser-clock.ts'
import { BlockLink, Shown, Table } from '../parts.tsx'
import { useLoaded } from '../use-loaded.ts'

/** What was asked of the prover host, newest first. */
export function Proofs() {
  const proofs = useLoaded(
    async (): Promise<(ProofRecord & { id: number })[]> =>
      (await fetch('/data/proofs.json')).json(),
    [],
    true,
  )
  return (
    <>
      <h1>Proofs</h1>
      <Shown loaded={proofs}>
        {(list) => (
          <Table
            title="The newest 50, newest first"
            empty="None was asked for yet: try “rollbed prove --from 1 --to 2”."
            columns={['Proof', 'Asked at', 'Claimed block', 'Blocks', 'Enclave', 'Took', 'Outcome']}
            rows={list.toReversed().map(({ id, at, took, cid, request, result, error }) => ({
              key: id,
              cells: [
                <a key="l" href={`/proof/${id}`}>
                  Proof {id}
                </a>,
                asSecond(at),
                <BlockLink key="b" number={request.claimed_l2_block_number} />,
                result?.Tee.proposals.length ?? '',
                cid ?? '',
                `${took} ms`,
                error ?? 'signed',
              ],
            }))}
          />
        )}
      </Shown>
    </>
  )
}
