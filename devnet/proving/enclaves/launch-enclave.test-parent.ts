/** A parent for launch-enclave.test.ts to kill: launches the image it is given and says so. */
import { pino } from 'pino'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { systemRng as rng } from '#protocol/random/rng'
import { launchEnclave } from './launch-enclave.ts'

const [imageDir, workDir] = process.argv.slice(2)
const enclave = await launchEnclave({
  cid: 16,
  imageDir: imageDir!,
  workDir: workDir!,
  root: createSimRoot({ clock, rng }),
  clock,
  rng,
  logger: pino({ level: 'silent' }),
})
process.stdout.write(JSON.stringify({ pid: enclave.pid, endpoint: enclave.endpoint }))
