import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'

/** Turns a failed `listen` into PORT_BUSY where that is the reason; other errors pass unchanged. */
export function portBusy(error: unknown, service: string, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error
  return new RollbedError('PORT_BUSY', `Port ${port}, wanted for the ${service}, is in use.`, {
    hint: 'Stop what listens there, or choose other ports with --port-base (0 picks free ones).',
    cause: error,
  })
}
