import pino, { type Logger } from 'pino'
import { logSentence } from './log-sentence.ts'

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

/** Sentences for people, or one JSON object a line for programs. */
export type LogFormat = 'text' | 'json'

/** Whoever reads a terminal is a person. */
export const readersFormat = (): LogFormat => (process.stderr.isTTY ? 'text' : 'json')

/**
 * Logs on standard error; standard output is for results.
 * @param format by default sentences on a terminal, and JSON where standard error is piped
 */
export function createLogger(level: LogLevel, format: LogFormat = readersFormat()): Logger {
  const options = { level, base: null }
  if (format === 'json') return pino(options, pino.destination({ dest: 2, sync: true }))
  return pino(options, {
    write(line: string) {
      process.stderr.write(`${logSentence(JSON.parse(line))}\n`)
    },
  })
}
