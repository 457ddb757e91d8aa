import { Fields, Shown } from '../parts.tsx'
import { postJsonRpc } from '../post-json-rpc.ts'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'

/** The enclaves behind the prover host, and whether it is ready. */
export function Enclaves() {
  const { devnet } = useDevnet()
  const health = useLoaded(
    async () => {
      if (!devnet.proverUrl) throw new Error('This devnet runs without a prover.')
      return postJsonRpc<{ version: string }>(devnet.proverUrl, 'healthz', [])
    },
    [],
    true,
  )
  return (
    <>
      <h1>Enclaves</h1>
      <Shown loaded={health}>
        {({ version }) => <p>The prover host, version {version}, is ready.</p>}
      </Shown>
      {devnet.enclaves.map(({ cid, kind, endpoint, signer, imageHash, pcr0 }) => (
        <section key={cid}>
          <h2>Enclave {cid}</h2>
          <Fields
            of={{
              Kind: { sim: 'simulated', vm: 'virtual machine', local: 'local mode' }[kind],
              Endpoint: <code>{endpoint}</code>,
              Signer: <code>{signer}</code>,
              'Image hash': <code>{imageHash}</code>,
              PCR0: <code>{pcr0}</code>,
            }}
          />
        </section>
      ))}
    </>
  )
}
