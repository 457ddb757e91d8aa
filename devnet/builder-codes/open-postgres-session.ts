import { Turns } from '#devnet/base/process/turns'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { SqlSession } from './sql-session.ts'

/** Milliseconds that the server has to answer the first connection. */
const CONNECT_TIMEOUT = 5_000

/**
 * Connects by `pg`, which a user of this installs beside rollbed.
 * @param url postgres://user:password@host:port/database
 * @throws RollbedError POSTGRES_DRIVER_MISSING, BUILDER_CODE_DB_UNREACHABLE
 */
export async function openPostgresSession(url: string): Promise<SqlSession> {
  const { Client } = await import('pg').catch((cause) => {
    throw new PostgresDriverMissing(cause)
  })
  const client = new Client({
    connectionString: url,
    application_name: 'rollbed',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
  })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // Told before `end`; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect().catch((cause) => {
    throw new BuilderCodeDbUnreachable(url, cause)
  })
  const heard = new Map<string, (payload: string) => void>()
  client.on('notification', ({ channel, payload }) => heard.get(channel)?.(payload ?? ''))
  // One after the other: a connection answers one question at a time.
  const turns = new Turns()
  async function query(text: string, values: readonly unknown[] = []) {
    const { rows } = await turns.take(() => client.query(text, [...values]))
    return rows
  }
  return {
    ended,
    query,
    async listen(channel, hear) {
      heard.set(channel, hear)
      await query(`LISTEN ${client.escapeIdentifier(channel)}`)
    },
    close: () => client.end(),
  }
}

class PostgresDriverMissing extends RollbedError {
  constructor(cause: unknown) {
    super(
      'POSTGRES_DRIVER_MISSING',
      'The package pg, which speaks with PostgreSQL, is not there.',
      {
        hint: 'Install it beside rollbed: npm install pg',
        cause,
      },
    )
  }
}

class BuilderCodeDbUnreachable extends RollbedError {
  constructor(url: string, cause: unknown) {
    // Without the password, which the URL may hold.
    const { host, pathname } = new URL(url)
    super('BUILDER_CODE_DB_UNREACHABLE', `No PostgreSQL answers at ${host}${pathname}.`, {
      hint: 'Look at --builder-code-db, and whether the server runs and lets this user in.',
      cause,
    })
  }
}
