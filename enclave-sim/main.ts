/**
 * The enclave process. It takes no arguments and no environment: its image lies in its own
 * directory, its vsock and security module beside that (ENC-START-08).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from './clock/system-clock.ts'
import { decodeChainTable } from './image/chain-table.ts'
import { imageFiles, SOCKET_FROM_IMAGE } from './image/image-files.ts'
import { verifiedOracle } from './oracle/verified-oracle.ts'
import { runProgram } from './proof/program.ts'
import { securityModule } from './security-module/security-module.ts'
import {
  connectSecurityModule,
  securityModulePath,
  streamChannel,
} from './security-module/stream-channel.ts'
import { bootMeasured } from './server/boot-identity.ts'
import { createEnclave } from './server/create-enclave.ts'
import type { EnclaveLog } from './server/enclave-log.ts'
import { serveConnection } from './server/serve-connection.ts'
import { ENCLAVE_PORT } from './vsock/endpoint.ts'
import { listenHybrid } from './vsock/hybrid-listener.ts'

const imageDir = import.meta.dirname
const socketPath = join(imageDir, SOCKET_FROM_IMAGE)
const modulePath = securityModulePath(socketPath)
const clock = systemClock

const log: EnclaveLog = (event, fields) => {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`)
}

/** An enclave does not outlive its hypervisor: when the module's side closes, so does this process. */
const lifeline = await connectSecurityModule(modulePath)
lifeline.on('close', () => process.exit()).resume()

const chains = decodeChainTable(readFileSync(join(imageDir, imageFiles.chains), 'utf8'))
const enclave = createEnclave({
  identity: await bootMeasured(async () =>
    securityModule(streamChannel(await connectSecurityModule(modulePath), clock)),
  ),
  program: async (preimages) => runProgram(verifiedOracle(preimages), { chains }),
  log,
})

// Bound only now that the key exists (ENC-START-07).
await listenHybrid({
  path: socketPath,
  port: ENCLAVE_PORT,
  clock,
  onConnection: (stream) => void serveConnection(stream, { enclave, clock, log }),
})
log('listening', { port: ENCLAVE_PORT })
