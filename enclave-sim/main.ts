/**
 * The enclave process. It takes no arguments and no environment: its image lies in its own
 * directory, its vsock and security module beside that, or, in a virtual machine, behind AF_VSOCK
 * (ENC-START-08).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { decodeChainTable } from './image/chain-table.ts'
import { imageFiles, SOCKET_FROM_IMAGE } from './image/image-files.ts'
import { systemClock } from './protocol/clock/system-clock.ts'
import { verifyInTurns } from './protocol/oracle/verified-oracle.ts'
import { runProgram } from './protocol/proof/run-program.ts'
import { systemRng } from './protocol/random/rng.ts'
import { securityModule } from './security-module/security-module.ts'
import {
  connectSecurityModule,
  SECURITY_MODULE_PORT,
  securityModulePath,
  streamChannel,
} from './security-module/stream-channel.ts'
import { bootLocal, bootMeasured } from './server/boot-identity.ts'
import { createEnclave } from './server/create-enclave.ts'
import type { EnclaveLog } from './server/enclave-log.ts'
import { serveConnection } from './server/serve-connection.ts'
import { connect } from './vsock/connect.ts'
import { ENCLAVE_PORT } from './vsock/endpoint.ts'
import { listenHybrid } from './vsock/hybrid-listener.ts'
import { listenVsock } from './vsock/listen-vsock.ts'
import { CID_HOST } from './vsock/vsock-address.ts'

const imageDir = import.meta.dirname
const socketPath = join(imageDir, SOCKET_FROM_IMAGE)
const clock = systemClock
const modulePath = securityModulePath(socketPath)
/** One image runs in both: a machine has no socket beside it. */
const inMachine = existsSync(join(imageDir, imageFiles.koffi)) && !existsSync(modulePath)
const isLocal = existsSync(join(imageDir, imageFiles.local))

const log: EnclaveLog = (event, fields) => {
  process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`)
}

/** Guest connections go to the hypervisor: here the parent, which plays the module. */
const dialModule = () =>
  inMachine
    ? connect({ kind: 'vsock', cid: CID_HOST, port: SECURITY_MODULE_PORT }, { clock })
    : connectSecurityModule(modulePath)

/**
 * An enclave does not outlive its hypervisor: when the module's side closes, so does this process.
 * In local mode there may be no module at all.
 */
if (!isLocal || existsSync(modulePath)) {
  const lifeline = await dialModule()
  lifeline.on('close', () => process.exit()).resume()
}

const chains = decodeChainTable(readFileSync(join(imageDir, imageFiles.chains), 'utf8'))
const enclave = createEnclave({
  identity: isLocal
    ? bootLocal(systemRng)
    : await bootMeasured(async () => securityModule(streamChannel(await dialModule(), clock))),
  program: async (preimages) => runProgram(await verifyInTurns(preimages), { chains }),
  log,
})

// Bound only now that the key exists (ENC-START-07).
const listener = {
  port: ENCLAVE_PORT,
  onConnection: (stream: Duplex) => void serveConnection(stream, { enclave, clock, log }),
}
await (inMachine ? listenVsock(listener) : listenHybrid({ ...listener, path: socketPath, clock }))
log('listening', { port: ENCLAVE_PORT })
