import { sleep } from '#protocol/clock/clock'
import { CaseFailure, notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT, startHost } from '../../hosts/run-host.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { poll } from '../../poll.ts'
import { oneBlock, signatureIn, withEnclaves } from '../../scenes/host-scenes.ts'
import { NOBODY, plainHost } from '../../scenes/plain-host.ts'
import { recordedProof } from '../../scenes/recorded-witness.ts'
import { stalledProof } from '../../scenes/stalled-proof.ts'
import { RESOURCE_UNAVAILABLE } from '../../spec/resource-unavailable.ts'
import { errorIn } from '../../wire/json-rpc-client.ts'
import { freePort, isListening } from '../../wire/launch-host.ts'

/** Milliseconds after its last new connection in which a host closes those that nobody waits at. */
const CLOSED_WITHIN = 2_000
/** Milliseconds within which a host has taken both of two requests, and between the ends of both. */
const [BOTH_WITHIN, APART] = [1_000, 300]

/** Nothing took the request. @throws what says something else */
function isNoReply(error: unknown): true {
  if (error instanceof CaseFailure) return true
  throw error
}

export const cases = defineCases([
  {
    id: 'host.serving.without-registry.01',
    title: 'One CID and no registry: the host runs, and is healthy with its enclave down',
    area: 'host',
    rules: ['HOST-CFG-14', 'HOST-HEALTH-05', 'HOST-START-05'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Without a registry health means that the server runs, and nothing else.',
    async run(t) {
      const { health } = await t.scene(plainHost)
      expectEqual(health.status, 200, 'status of GET /healthz')
    },
  },
  {
    id: 'host.serving.while-proving.01',
    title: 'While a proof is under way the host is healthy',
    area: 'host',
    rules: ['HOST-HEALTH-05', 'HOST-HEALTH-06'],
    needs: [...HOST_NEEDS, 'driver'],
    timeout: HOST_TIMEOUT,
    rationale:
      'A proof takes minutes; a host that is called ill meanwhile is taken out and started anew.',
    async run(t) {
      const { health } = await t.scene(stalledProof)
      expectEqual(health, [200], 'statuses of GET /healthz')
    },
  },
  {
    id: 'host.serving.modules.01',
    title: 'prover_prove, enclave_signerPublicKey and healthz are all served',
    area: 'host',
    rules: ['HOST-START-04'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'The registrar needs one module, callers another, load balancers the third.',
    async run(t) {
      for (const [method, reply] of (await t.scene(plainHost)).replies) {
        const { error } = reply.body as { error?: { code?: number } }
        expectDifferent(error?.code, -32601, `code of ${method}`)
      }
    },
  },
  {
    id: 'host.serving.until-interrupted.01',
    title: 'The host serves request after request and ends with the interrupt',
    area: 'host',
    rules: ['HOST-START-06', 'HOST-START-07'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'After the signal it takes no connection any more.',
    async run(t) {
      const { exitCode, listensAfterwards } = await t.scene(plainHost)
      expectEqual(exitCode, 0, 'exit code after the interrupt')
      expectEqual(listensAfterwards, false, 'takes connections')
    },
  },
  {
    id: 'host.serving.after-failures.01',
    title: 'After a proof that timed out, and after one that the enclave refused, the next is made',
    area: 'host',
    rules: ['HOST-START-06', 'PIPE-21'],
    needs: [...HOST_NEEDS, 'driver'],
    timeout: HOST_TIMEOUT,
    rationale: 'A host that waits for what it gave up has to be started anew by somebody.',
    async run(t) {
      const { reply: timedOut, next, signature } = await t.scene(stalledProof)
      const { code, message } = errorIn(next)
      // On a busy machine the witness alone may take that long (OPEN-71); of its enclave no host knows that it
      // stopped (OPEN-91).
      const isJudged = code !== RESOURCE_UNAVAILABLE && message !== errorIn(timedOut).message
      if (isJudged) expectEqual(signatureIn(next), signature, 'signature after the timeout')
      const { reply, signature: other } = await t.scene(recordedProof)
      expectEqual(signatureIn(reply), other, 'signature after the refusal')
    },
  },
  {
    id: 'host.serving.drains.01',
    title: 'A proof in flight is finished after the interrupt',
    area: 'host',
    rules: ['HOST-START-08', 'HOST-START-07'],
    needs: [...HOST_NEEDS, 'driver'],
    timeout: HOST_TIMEOUT,
    rationale: 'Minutes of work would be lost with each restart.',
    async run(t) {
      const request = await oneBlock(t)
      await withEnclaves(t, 1, async ([enclave]) => {
        const host = await startHost(t, { enclaves: [enclave!.endpoint] })
        const port = Number(new URL(host.url).port)
        enclave!.script.onProve = () => {
          host.interrupt()
          const { clock, signal } = t
          return poll({ clock, signal, every: 20, within: 10_000 }, async () =>
            (await isListening(port)) ? undefined : true,
          )
        }
        const reply = await host.rpc.call('prover_prove', [request])
        expectEqual(signatureIn(reply), enclave!.proof.signature, 'signature of the proof')
      })
    },
  },
  {
    id: 'host.serving.kept-connection.01',
    title: 'After the interrupt a connection that was there before is no way in either',
    area: 'host',
    rules: ['HOST-START-07'],
    needs: [...HOST_NEEDS, 'driver'],
    timeout: HOST_TIMEOUT,
    rationale:
      'Clients keep their connections: a host that serves those on takes work for as long as somebody has some.',
    async run(t) {
      const { clock, signal } = t
      const request = await oneBlock(t)
      await withEnclaves(t, 1, async ([enclave]) => {
        const host = await startHost(t, { enclaves: [enclave!.endpoint] })
        const port = Number(new URL(host.url).port)
        let isRefused: true | undefined
        enclave!.script.onProve = async () => {
          // The proof has a connection of its own by now; a host closes those that are idle for long.
          await host.rpc.call('healthz')
          host.interrupt()
          const within = { clock, signal, every: 20, within: 10_000 }
          await poll(within, async () => ((await isListening(port)) ? undefined : true))
          const ask = () => host.rpc.call('healthz').then(() => undefined, isNoReply)
          isRefused = await poll({ ...within, within: CLOSED_WITHIN }, ask)
        }
        await host.rpc.call('prover_prove', [request])
        expectEqual(isRefused, true, 'a request on a kept connection is refused')
      })
    },
  },
  {
    id: 'host.serving.drains.02',
    title: 'Two proofs in flight are both finished after the interrupt',
    area: 'host',
    rules: ['HOST-START-08'],
    needs: [...HOST_NEEDS, 'driver'],
    timeout: HOST_TIMEOUT,
    rationale: 'A host that ends with the first that is done loses the work of all others.',
    async run(t) {
      const { clock, signal } = t
      const request = await oneBlock(t)
      await withEnclaves(t, 1, async ([enclave]) => {
        const host = await startHost(t, { enclaves: [enclave!.endpoint] })
        const port = Number(new URL(host.url).port)
        let place = 0
        const second = Promise.withResolvers<void>()
        enclave!.script.onProve = async () => {
          place += 1
          // One is done while the other is not.
          if (place === 2) {
            second.resolve()
            return sleep(clock, APART, signal)
          }
          // Whoever makes one after the other has the second waiting by then.
          await Promise.race([second.promise, sleep(clock, BOTH_WITHIN, signal)])
          host.interrupt()
          const closed = async () => ((await isListening(port)) ? undefined : true)
          return poll({ clock, signal, every: 20, within: 10_000 }, closed)
        }
        const ask = () => host.rpc.call('prover_prove', [request])
        const replies = await Promise.all([ask(), ask()])
        if (replies.some(({ body }) => 'error' in body))
          notApplicable('It refuses a second proof while it makes one.')
        const { signature } = enclave!.proof
        expectEqual(
          replies.map((reply) => signatureIn(reply)),
          [signature, signature],
          'signatures of the proofs',
        )
      })
    },
  },
  {
    id: 'host.serving.log-level.01',
    title: 'The log filter decides how much is logged',
    area: 'host',
    rules: ['HOST-CFG-12'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Given as --log-level; with silent there is no line of the same run.',
    async run(t) {
      const runAt = async (level: string) => {
        const more = [['--log-level', level]] as const
        const host = await startHost(t, { enclaves: [NOBODY], more })
        await host.rpc.call('enclave_signerPublicKey')
        host.interrupt()
        await host.ended
        return host.output().length
      }
      const [loud, quiet] = await Promise.all([runAt('debug'), runAt('silent')])
      expectThat(loud > quiet, `more than ${quiet} characters`, loud, 'output at level debug')
    },
  },
  {
    id: 'host.serving.metrics.01',
    title: 'The metrics setting makes the host serve metrics',
    area: 'host',
    rules: ['HOST-CFG-13'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Given as --metrics-listen; read as Prometheus reads it.',
    async run(t) {
      const port = await freePort()
      const more = [['--metrics-listen', `127.0.0.1:${port}`]] as const
      const host = await startHost(t, { enclaves: [NOBODY], more })
      const { http } = await t.connectTo(`http://127.0.0.1:${port}`).get('/metrics')
      expectEqual(http.status, 200, 'status of GET /metrics')
      expectThat(
        /^# TYPE /m.test(http.text),
        'metrics in text form',
        http.text.slice(0, 80),
        'body',
      )
      host.interrupt()
    },
  },
])
