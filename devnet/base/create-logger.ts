import pino, { type Logger } from 'pino'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Structured logs on standard error, one JSON object a line; standard output is for results. */
export function createLogger(level: LogLevel): Logger {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }))
}
