import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decodeNsmResponse,
  encodeNsmRequest,
  type NsmRequest,
  type NsmResponse,
} from '#suites/gate/conformance/spec/nsm-messages'
import { askEnclave } from './ask-enclave.ts'
import { type LaunchEnclave, SECURITY_MODULE, VSOCK } from './enclave-boot.ts'
import { readBytes } from './read-bytes.ts'
import { type ModuleAnswer, startScriptedSecurityModule } from './scripted-security-module.ts'
import { type EnclaveAnswer, frame, serveEnclave } from './serve-enclave.ts'

/** Where a mutant of a booted enclave may meddle. */
export interface EnclaveChange {
  /** What the enclave hears from its security module. */
  module?: (forward: ModuleAnswer) => ModuleAnswer
  /** What it answers on its wire. */
  answer?: (forward: EnclaveAnswer) => EnclaveAnswer
  /** What it prints. */
  output?: (text: string) => string
  /** Takes connections before it is booted. */
  listensFirst?: boolean
}

/** Boots the enclave in a folder behind the one it was given, and stands between the two. */
export const enclaveBetween =
  (makeChange: (folder: string) => EnclaveChange) =>
  (launch: LaunchEnclave): LaunchEnclave =>
  async ({ folder, env }) => {
    const { module, answer, output, listensFirst } = makeChange(folder)
    const behind = await mkdtemp(join(tmpdir(), 'rollbed-between-'))
    const real = dialModule(join(folder, SECURITY_MODULE))
    const forward: ModuleAnswer = (request, session) => real.ask(request, session)
    // Where there is none, as in local mode, the enclave behind gets none either.
    const hasModule = module !== undefined || existsSync(join(folder, SECURITY_MODULE))
    const served = hasModule
      ? await startScriptedSecurityModule(
          join(behind, SECURITY_MODULE),
          module?.(forward) ?? forward,
        )
      : undefined
    const ask: EnclaveAnswer = (payload) => askEnclave(`unix:${join(behind, VSOCK)}:8000`, payload)
    const front = await serveEnclave(answer?.(ask) ?? ask)
    const stop = async () => {
      real.close()
      await Promise.all([served?.stop(), front.stop()])
      await rm(behind, { recursive: true, force: true })
    }
    const show = () => symlink(/^unix:(.+):\d+$/.exec(front.endpoint)![1]!, join(folder, VSOCK))
    if (listensFirst) await show()
    const enclave = await launch({ folder: behind, env }).catch(async (error) => {
      await stop()
      throw error
    })
    if (enclave.state === 'listening' && !listensFirst) await show()
    const ended = enclave.ended.finally(stop)
    return { ...enclave, ended, output: () => output?.(enclave.output()) ?? enclave.output() }
  }

/** Sessions with a security module, each a connection, opened when it is first asked in. */
function dialModule(path: string) {
  const sessions = new Map<number, Socket>()
  return {
    async ask(request: NsmRequest, session: number): Promise<NsmResponse> {
      const socket = sessions.get(session) ?? connect(path).on('error', () => undefined)
      sessions.set(session, socket)
      socket.write(frame(encodeNsmRequest(request)))
      const header = await readBytes(socket, 4)
      return decodeNsmResponse(await readBytes(socket, header.readUInt32BE()))
    },
    close: () => {
      for (const socket of sessions.values()) socket.destroy()
    },
  }
}
