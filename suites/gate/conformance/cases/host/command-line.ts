import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import {
  HOST_NEEDS,
  HOST_TIMEOUT,
  type HostSetup,
  hostFlags,
  startHost,
} from '../../hosts/run-host.ts'
import { expectDifferent, expectEqual } from '../../matchers/expect-equal.ts'
import { NOBODY } from '../../scenes/plain-host.ts'

const REQUIRED: readonly (readonly [flag: string, rule: string])[] = [
  ['--l1-rpc-url', 'HOST-CFG-01'],
  ['--l1-beacon-url', 'HOST-CFG-02'],
  ['--l2-rpc-url', 'HOST-CFG-03'],
  ['--l2-chain-id', 'HOST-CFG-04'],
  ['--listen', 'HOST-CFG-08'],
  ['--vsock-cid', 'HOST-CFG-09'],
]

async function expectNoStart(t: CaseContext, setup: HostSetup): Promise<void> {
  const host = await t.launchHost(await hostFlags(t, setup))
  if (host.url) host.interrupt()
  expectEqual(host.url, undefined, 'where the host listens')
  expectDifferent(await host.ended, 0, 'exit code')
}

export const cases = defineCases([
  ...REQUIRED.map(
    ([flag, rule]): ConformanceCase => ({
      id: `host.config.requires-${flag.slice(2)}.01`,
      title: `Without ${flag} the host does not start`,
      area: 'host',
      rules: [rule],
      needs: HOST_NEEDS,
      timeout: HOST_TIMEOUT,
      rationale: 'A default would prove against a chain that nobody chose.',
      run: (t) => expectNoStart(t, { enclaves: [NOBODY], without: [flag] }),
    }),
  ),
  {
    id: 'host.config.unknown-chain.01',
    title: 'With an unknown chain id the host does not start',
    area: 'host',
    rules: ['HOST-CFG-07'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Better no host than one that fails at the first proof.',
    run: (t) => expectNoStart(t, { enclaves: [NOBODY], chainId: '999999999' }),
  },
  {
    id: 'host.config.registry-for-several.01',
    title: 'Two CIDs without a registry do not start',
    area: 'host',
    rules: ['HOST-CFG-15'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Nothing could tell which of the two is valid.',
    run: (t) => expectNoStart(t, { enclaves: [NOBODY, NOBODY] }),
  },
  {
    id: 'host.config.known-chain.01',
    title: 'For a chain that everybody knows no file is needed',
    area: 'host',
    rules: ['HOST-START-01'],
    needs: HOST_NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Base mainnet, by its id alone; nothing is asked of it before a proof.',
    async run(t) {
      const host = await startHost(t, { enclaves: [NOBODY], chainId: '8453' })
      host.interrupt()
    },
  },
])
