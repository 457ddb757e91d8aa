import type { Audit, AuditedClaim } from '#devnet/actors/journal-audit/audit'
import type { ProofRecord } from '#devnet/proving/prover/proof-service'
import { Fields, Shown, Table } from '../parts.tsx'
import { useLoaded } from '../use-loaded.ts'

/** One proof, with every byte of its journals named. */
export function Proof({ id }: { id: string }) {
  const proof = useLoaded(async (): Promise<ProofRecord & { audit: Audit | null }> => {
    const response = await fetch(`/data/proof/${encodeURIComponent(id)}`)
    const body = await response.json()
    if (!response.ok) throw new Error(body.error)
    return body
  }, [id])
  return (
    <>
      <h1>Proof {id}</h1>
      <Shown loaded={proof}>
        {({ request, took, cid, error, audit }) => (
          <>
            <Fields
              of={{
                Outcome: error ?? `signed; audit: ${audit?.verdict}`,
                Took: `${took} ms`,
                Enclave: cid,
                ...Object.fromEntries(
                  Object.entries(request).map(([name, value]) => [
                    name,
                    <code key={name}>{String(value)}</code>,
                  ]),
                ),
              }}
            />
            {audit?.claims.toReversed().map((claim) => (
              <Claim key={claim.name} claim={claim} />
            ))}
          </>
        )}
      </Shown>
    </>
  )
}

function Claim({ claim }: { claim: AuditedClaim }) {
  const isAggregate = claim.name === 'aggregate_proposal'
  return (
    <details open={isAggregate}>
      <summary>
        <h2>{claim.name}</h2>{' '}
        <span class={claim.verdict === 'pass' ? 'good' : 'bad'}>{claim.verdict}</span>
      </summary>
      <Fields
        of={{
          Signer: claim.signer && <code>{claim.signer}</code>,
          Signature: claim.signature && <code class="bytes">{claim.signature}</code>,
          Digest: <code>{claim.digest}</code>,
        }}
      />
      <Table
        title={`Journal, ${(claim.bytes.length - 2) / 2} bytes, layout ${claim.layout}`}
        columns={['Bytes', 'Field', 'Value']}
        rows={claim.fields.map(({ field, offset, size, value }) => ({
          key: field,
          cells: [`${offset}–${offset + size - 1}`, field, <code key="v">{value}</code>],
        }))}
      />
      <Table
        title="Rules"
        columns={['Rule', 'Verdict', 'What was found']}
        rows={claim.checks.map(({ rule, verdict, says }) => ({
          key: rule,
          cells: [rule, verdict, says],
        }))}
      />
    </details>
  )
}
