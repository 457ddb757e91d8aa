import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BootedEnclave,
  type ModuleAnswer,
  type ScriptedSecurityModule,
  SECURITY_MODULE,
  startScriptedSecurityModule,
  VSOCK,
} from '../../../mocks/index.ts'
import type { CaseContext } from '../conformance-case.ts'
import type { EnclaveClient } from '../wire/enclave-client.ts'

const PORT = 8000

export interface Boot {
  enclave: BootedEnclave
  client: EnclaveClient
  module: ScriptedSecurityModule | undefined
}

/** Boots an enclave in a folder, with a security module unless `answer` is left out. */
export async function withBoot<T>(
  t: CaseContext,
  options: { folder: string; answer: ModuleAnswer | undefined },
  use: (boot: Boot) => Promise<T>,
): Promise<T> {
  const { folder, answer } = options
  const path = join(folder, VSOCK)
  await rm(path, { force: true })
  const module =
    answer && (await startScriptedSecurityModule(join(folder, SECURITY_MODULE), answer))
  try {
    const enclave = await t.launchEnclave({ folder, env: {} })
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

/** Runs `use` in an empty folder, which is gone afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-boot-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
