import { RollbedError } from '#protocol/errors/rollbed-error'

/** What the machine is short of, whatever the port. */
const SHORTAGES = ['EMFILE', 'ENFILE']

/** Turns a failed `listen` into PORT_BUSY or LISTEN_FAILED; other errors pass unchanged. */
export function portBusy(error: unknown, service: string, port: number): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (SHORTAGES.includes(code)) return error
  // No such name, not an address of this machine, a port that only root may open.
  if (code !== 'EADDRINUSE' && (syscall === 'listen' || syscall === 'getaddrinfo'))
    return new RollbedError('LISTEN_FAILED', `The ${service} cannot listen: ${message}.`, {
      hint: 'Give an address of this machine, and a port that you may open.',
      cause: error,
    })
  if (code !== 'EADDRINUSE') return error
  return new RollbedError('PORT_BUSY', `Port ${port}, wanted for the ${service}, is in use.`, {
    hint: 'Stop what listens there, or choose other ports with --port-base (0 picks free ones).',
    cause: error,
  })
}
