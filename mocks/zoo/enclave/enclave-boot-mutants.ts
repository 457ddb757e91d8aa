import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { bytesToHex } from '@ethereumjs/util'
import { type EnclaveChange, enclaveBetween } from '#mocks/enclave/enclave-between'
import type { LaunchEnclave } from '#mocks/enclave/enclave-boot'
import { type ModuleAnswer, workingModule } from '#mocks/enclave/scripted-security-module'
import { encodeResponse } from '#suites/gate/conformance/spec/enclave-payloads'
import type { NsmRequest } from '#suites/gate/conformance/spec/nsm-messages'
import { type Mutant, type MutantContext, mutantsOf } from '../mutant.ts'

const PCR_SIZE = 48

const booted = mutantsOf('enclave', 'enclaveCommand')
const mutant = (
  rule: string,
  name: string,
  says: string,
  change: (context: MutantContext) => (launch: LaunchEnclave) => LaunchEnclave,
) => booted(rule, name, says, (context) => ({ boot: change(context) }))

/** Stands between the enclave and what it talks to; fresh for each folder it is booted in. */
const meddling = (rule: string, name: string, says: string, makeChange: () => EnclaveChange) =>
  mutant(rule, name, says, () => {
    const changes = new Map<string, EnclaveChange>()
    return enclaveBetween((folder) => {
      const change = changes.get(folder) ?? makeChange()
      changes.set(folder, change)
      return change
    })
  })

/** Answers one kind of request in place of the security module. */
const insteadOf = (kind: NsmRequest['kind'], answer: ModuleAnswer): EnclaveChange => ({
  module: (forward) => (request, session) =>
    (request.kind === kind ? answer : forward)(request, session),
})

const ownModule = () => workingModule(new Uint8Array(PCR_SIZE), randomBytes(256))

/** Keeps the first randomness of the module. */
const keeping = (
  use: (kept: () => string) => Omit<EnclaveChange, 'module'>,
  isAnsweredFromIt = false,
): EnclaveChange => {
  let first: Uint8Array | undefined
  const key = () => bytesToHex(first?.subarray(0, 32) ?? new Uint8Array())
  return {
    ...use(key),
    module: (forward) => async (request, session) => {
      const response = await forward(request, session)
      if (response.kind !== 'GetRandom') return response
      first ??= response.random
      return isAnsweredFromIt ? { ...response, random: first } : response
    },
  }
}

/** Ends with whoever holds the other end, also where that one was killed. */
const WITH_ITS_PARENT = "process.stdin.resume().on('end', () => process.exit())"

/** A second process of the enclave, on the network of the machine. */
const withCompanion =
  (script: string) =>
  (launch: LaunchEnclave): LaunchEnclave =>
  async (boot) => {
    const enclave = await launch(boot)
    const companion = spawn(process.execPath, ['-e', `${WITH_ITS_PARENT}; ${script}`], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    await once(companion.stdout, 'data')
    enclave.ended.finally(() => companion.kill('SIGKILL'))
    return { ...enclave, pids: async () => [...(await enclave.pids()), companion.pid!] }
  }

/** Mutants of how an enclave boots, and of its process. */
export const ENCLAVE_BOOT_MUTANTS: readonly Mutant[] = [
  meddling('ENC-START-01', 'starts-alone', 'Starts without a security module', () => {
    const own = ownModule()
    return {
      module: (forward) => async (request, session) => {
        try {
          return await forward(request, session)
        } catch {
          return own(request, session)
        }
      },
    }
  }),
  meddling('JRN-20', 'local-instead', 'Falls back to zeros when the module fails', () => {
    const own = ownModule()
    return {
      module: (forward) => async (request, session) => {
        const response = await forward(request, session)
        return response.kind === 'Error' ? own(request, session) : response
      },
    }
  }),
  meddling('ENC-START-02', 'pcr0-from-elsewhere', 'Does not read PCR0 from the module', () =>
    insteadOf('DescribePCR', ownModule()),
  ),
  meddling('ENC-START-03', 'pcr0-padded', 'Pads and cuts PCR0', () => ({
    module: (forward) => async (request, session) => {
      const response = await forward(request, session)
      if (response.kind !== 'DescribePCR') return response
      const data = new Uint8Array(PCR_SIZE)
      data.set(response.data.subarray(0, PCR_SIZE))
      return { ...response, data }
    },
  })),
  meddling('ENC-START-05', 'system-randomness', 'Takes the randomness of the system', () =>
    insteadOf('GetRandom', ownModule()),
  ),
  meddling('ENC-START-06', 'key-printed', 'Prints its key', () =>
    keeping((key) => ({ output: (text) => `${text}key ${key()}\n` })),
  ),
  meddling('ENC-START-07', 'listens-first', 'Listens before it has a key', () => ({
    listensFirst: true,
  })),
  mutant(
    'ENC-START-08',
    'wants-environment',
    'Wants a variable',
    () => (launch) => async (boot) =>
      boot.env.CHAIN_ID
        ? launch(boot)
        : {
            state: 'ended',
            pids: async () => [],
            ended: Promise.resolve(1),
            output: () => 'CHAIN_ID is not set',
            kill: () => undefined,
          },
  ),
  meddling('ENC-START-09', 'key-kept', 'Keeps its key for the next boot', () =>
    keeping(() => ({}), true),
  ),
  mutant('ENC-PROTO-01', 'side-channel', 'Has a TCP socket besides', () =>
    withCompanion(`require('node:net').createServer().listen(0, '127.0.0.1', () => console.log())`),
  ),
  // The same as none on a machine that has no network itself, such as a namespace with a loopback alone.
  mutant('ENC-PROTO-02', 'on-the-network', 'Has network interfaces', () =>
    withCompanion('console.log()'),
  ),
  mutant('ENC-PROTO-09', 'one-cid', 'Listens on one CID only', () => {
    let own: string | undefined
    return (launch) => async (boot) => {
      own ??= boot.folder
      if (own === boot.folder) return launch(boot)
      return enclaveBetween(() => ({ answer: () => async () => undefined }))(launch)(boot)
    }
  }),
  meddling('ATT-10', 'one-session', 'Attests in the session of the boot', () => ({
    module: (forward) => {
      let first: number | undefined
      return (request, session) => {
        first ??= session
        return forward(request, first)
      }
    },
  })),
  meddling('SAFE-01', 'key-told', 'Tells its key in an error', () =>
    keeping((key) => ({
      answer: (forward) => async (payload) =>
        payload[0] === 0 ? encodeResponse({ kind: 'Error', message: key() }) : forward(payload),
    })),
  ),
]
