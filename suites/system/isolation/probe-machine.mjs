// Stands in for an enclave's program: tries what isolation must prevent, tells what came of it, and
// then stays. Perl opens sockets of any family, and is on every Debian.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'

const SOCKETS = 'for (0..45) { print "$_ ", (socket(my $s, $_, 1, 0) ? 0 : $!+0), "\n" }'
const tell = (event, fields) => process.stdout.write(`${JSON.stringify({ event, ...fields })}\n`)
const outcome = (attempt) => {
  try {
    attempt()
    return 'done'
  } catch (error) {
    return error.code ?? `exit ${error.status}`
  }
}

const { port } = JSON.parse(readFileSync('probe.json', 'utf8'))
const tcp = await new Promise((resolve) => {
  connect(port, '127.0.0.1')
    .on('connect', () => resolve('connected'))
    .on('error', (error) => resolve(error.code))
})
const sockets = execFileSync('/usr/bin/perl', ['-e', SOCKETS], { encoding: 'utf8' })
tell('probed', {
  tcp,
  families: Object.fromEntries(
    sockets
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number)),
  ),
  interfaces: outcome(() => networkInterfaces()),
  unshare: outcome(() => execFileSync('/usr/bin/unshare', ['-r', 'true'], { stdio: 'ignore' })),
  write: outcome(() => writeFileSync('added', '')),
  root: readdirSync('/'),
  environment: process.env,
  uid: process.getuid(),
})
tell('listening', {})
// A server keeps the process alive without a timer.
createServer().listen('../alive')
