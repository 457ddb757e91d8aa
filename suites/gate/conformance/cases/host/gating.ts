import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT, startHost } from '../../hosts/run-host.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { type GatedHost, gatedHost, oneBlock, withEnclaves } from '../../scenes/host-scenes.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const NO_VALID_SIGNER = -32001
/** Nobody deployed anything there. */
const NO_REGISTRY = `0x${'7e'.repeat(20)}`

const test = (
  id: string,
  title: string,
  rules: readonly string[],
  rationale: string,
  check: (host: GatedHost) => void,
): ConformanceCase => ({
  id,
  title,
  area: 'host',
  rules,
  needs: [...HOST_NEEDS, 'driver'],
  timeout: HOST_TIMEOUT,
  rationale,
  run: async (t) => check(await t.scene(gatedHost)),
})

export const cases = defineCases([
  test(
    'host.gating.unhealthy.01',
    'With a registry and no valid signer the host is unhealthy, again and again',
    ['HOST-HEALTH-01', 'HOST-CFG-16'],
    'Traffic must not reach a host whose proofs no contract takes.',
    ({ fresh }) => {
      for (const { status } of fresh) expectDifferent(status, 200, 'status of GET /healthz')
    },
  ),
  test(
    'host.gating.method-unhealthy.01',
    'While the host is not healthy the method healthz says something else than later, when it is',
    ['HOST-HEALTH-01', 'HOST-HEALTH-06', 'HOST-HEALTH-07'],
    'Who asks by JSON-RPC must not be sent where GET /healthz warns; in which form is open (OPEN-77).',
    ({ methodFresh, methodHealthy }) => {
      const healthy = resultOf(methodHealthy, 'healthz of a healthy host')
      expectDifferent(methodFresh.body.result, healthy, 'result of healthz before')
    },
  ),
  test(
    'host.gating.unhealthy-registry-down.01',
    'A failing registry does not make an unhealthy host healthy',
    ['HOST-HEALTH-08'],
    'Not to know is not a confirmation.',
    ({ down }) => {
      for (const { status } of down) expectDifferent(status, 200, 'status of GET /healthz')
    },
  ),
  test(
    'host.gating.healthy.01',
    'One valid signer of two makes the host healthy, though it is the second, and the first fails',
    ['HOST-HEALTH-02', 'HOST-HEALTH-06'],
    'During a rotation the old enclave may no longer be valid, or be gone.',
    ({ healthy }) => expectEqual(healthy.status, 200, 'status of GET /healthz'),
  ),
  test(
    'host.gating.latch-registry-down.01',
    'A healthy host stays healthy when the registry fails',
    ['HOST-HEALTH-03'],
    'A hiccup of L1 must not take every host out of service.',
    ({ healthy, laterDown }) =>
      expectEqual([healthy.status, laterDown.status], [200, 200], 'statuses of GET /healthz'),
  ),
  test(
    'host.gating.latch-silent.01',
    'A healthy host stays healthy when none of its enclaves tells a key',
    ['HOST-HEALTH-03', 'HOST-HEALTH-04'],
    'Whatever a later check meets: the flag latches.',
    ({ healthy, laterSilent }) =>
      expectEqual([healthy.status, laterSilent.status], [200, 200], 'statuses of GET /healthz'),
  ),
  test(
    'host.gating.latch-deregistered.01',
    'A healthy host stays healthy when its signer is deregistered',
    ['HOST-HEALTH-04'],
    'Health latches; requests are judged by themselves.',
    ({ healthy, laterInvalid }) =>
      expectEqual([healthy.status, laterInvalid.status], [200, 200], 'statuses of GET /healthz'),
  ),
  test(
    'host.gating.latch-is-for-health.01',
    'A healthy host without a valid signer refuses proofs',
    ['HOST-HEALTH-09'],
    'The latch concerns health alone.',
    ({ laterInvalid, laterProof }) => {
      expectEqual(laterInvalid.status, 200, 'status of GET /healthz')
      expectError(laterProof, 'reply to prover_prove', NO_VALID_SIGNER)
    },
  ),
  {
    id: 'host.gating.one-enclave.01',
    title:
      'With a registry a single enclave is held to it, too: not healthy, and proofs are refused',
    area: 'host',
    rules: ['HOST-CFG-16', 'HOST-CFG-17', 'HOST-HEALTH-01', 'SAFE-09', 'SAFE-10', 'ERR-10'],
    needs: [...HOST_NEEDS, 'driver'],
    timeout: HOST_TIMEOUT,
    rationale:
      'Where there is nothing to choose, somebody may still be wrong; nothing answers at that registry.',
    async run(t) {
      const request = await oneBlock(t)
      await withEnclaves(t, 1, async ([enclave]) => {
        const host = await startHost(t, { enclaves: [enclave!.endpoint], registry: NO_REGISTRY })
        const { http } = await host.rpc.get('/healthz')
        const reply = await host.rpc.call('prover_prove', [request])
        host.interrupt()
        expectDifferent(http.status, 200, 'status of GET /healthz')
        expectError(reply, 'reply to prover_prove', NO_VALID_SIGNER)
        expectEqual(enclave!.proveRequests().length, 0, 'Prove frames')
      })
    },
  },
  test(
    'host.gating.no-valid-signer.01',
    'With no valid signer prover_prove is error -32001 and no enclave is asked to prove',
    ['ERR-10', 'SAFE-09', 'ROUTE-10', 'HOST-CFG-17'],
    'A proof by such a signer is worth nothing on L1.',
    ({ freshProof, framesWhileInvalid }) => {
      expectError(freshProof, 'reply to prover_prove', NO_VALID_SIGNER)
      expectEqual(framesWhileInvalid, 0, 'Prove frames')
    },
  ),
  test(
    'host.gating.refused.01',
    'Whatever keeps a host from knowing a valid signer, prover_prove is error -32001',
    ['ERR-10', 'SAFE-09', 'SAFE-10', 'ROUTE-10', 'HOST-CFG-17'],
    'A registry that reverts, or is slow to say no, or enclaves that tell no key: none of it is a yes.',
    ({ refused }) => {
      for (const [when, reply] of refused)
        expectError(reply, `reply to prover_prove where ${when}`, NO_VALID_SIGNER)
    },
  ),
  test(
    'host.gating.registry-down.01',
    'When the registry cannot be asked prover_prove is refused',
    ['SAFE-10'],
    'Fails closed, with the same code (OPEN-72).',
    ({ downProof }) => {
      const { message } = expectError(downProof, 'reply to prover_prove', NO_VALID_SIGNER)
      expectThat(message.length > 0, 'what failed', message, 'error.message')
    },
  ),
])
