import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BootedEnclave,
  type LaunchEnclave,
  type ModuleAnswer,
  type ScriptedSecurityModule,
  SECURITY_MODULE,
  startScriptedSecurityModule,
  VSOCK,
} from '#mocks/index'
import type { CaseContext } from '../conformance-case.ts'
import { expectThat } from '../matchers/expect-equal.ts'
import { expectResponse, SIGNER_PUBLIC_KEY } from '../spec/enclave-messages.ts'
import type { EnclaveClient } from '../wire/enclave-client.ts'
import { tooLate } from '../wire/start-in-turn.ts'

const PORT = 8000

export interface Boot {
  enclave: BootedEnclave
  client: EnclaveClient
  module: ScriptedSecurityModule | undefined
}

/**
 * Boots an enclave in a folder, with a security module unless `answer` is left out.
 *
 * @param options.launch Default: `t.launchEnclave`.
 */
export async function withBoot<T>(
  t: CaseContext,
  options: { folder: string; answer: ModuleAnswer | undefined; launch?: LaunchEnclave },
  use: (boot: Boot) => Promise<T>,
): Promise<T> {
  const { folder, answer, launch = t.launchEnclave } = options
  const path = join(folder, VSOCK)
  await rm(path, { force: true })
  const module =
    answer && (await startScriptedSecurityModule(join(folder, SECURITY_MODULE), answer))
  try {
    const enclave = await launch({ folder, env: {} })
    try {
      return await use({ enclave, client: t.enclaveAt(`unix:${path}:${PORT}`), module })
    } finally {
      enclave.kill()
      await enclave.ended
    }
  } finally {
    await module?.stop()
  }
}

/**
 * Expects that an enclave came up.
 * @throws CaseFailure with the end of what it printed; CaseSetAside when it neither listened nor ended
 */
export function expectListening({ enclave }: Boot): void {
  const { state } = enclave
  if (state === 'late') tooLate('enclave')
  const said = `${state}: ${enclave.output().slice(-500)}`
  expectThat(state === 'listening', 'listening', said, 'boot')
}

/** Asks an enclave for its public key. @throws CaseFailure */
export async function readKey({ client }: Boot): Promise<Uint8Array> {
  const { payloads } = await client.send(SIGNER_PUBLIC_KEY)
  const response = expectResponse(payloads[0], 'reply to signer_public_key')
  expectThat(response.kind === 'bytes', 'a key', response, 'reply to signer_public_key')
  return response.bytes
}

/** Runs `use` in an empty folder, which is gone afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-boot-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
