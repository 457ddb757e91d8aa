import { type Address, getAddress } from 'viem'
import type { Rng } from '#protocol/random/rng'
import { type BuilderCode, randomBuilderCode } from './builder-code.ts'
import type { CodeRegistry } from './code-registry.ts'
import type { SqlSession } from './sql-session.ts'

const CHANNEL = 'rollbed_registration'

/** Two services may begin at once: the lock lets one make the table, and the other find it. */
const SCHEMA = `
  DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('${CHANNEL}'));
    CREATE TABLE IF NOT EXISTS rollbed_registration (
      wallet text PRIMARY KEY CHECK (length(wallet) = 42),
      code   text NOT NULL UNIQUE
    );
  END $$`
/** ON CONFLICT also covers a code that is taken: then no row appears and another code is drawn. */
const INSERT = `
  WITH made AS (
    INSERT INTO rollbed_registration (wallet, code) VALUES ($1, $2)
    ON CONFLICT DO NOTHING RETURNING wallet, code
  )
  SELECT code, pg_notify('${CHANNEL}', code || ' ' || wallet) FROM made`
const CODE_OF = 'SELECT code FROM rollbed_registration WHERE wallet = $1'
const ALL = 'SELECT wallet, code FROM rollbed_registration'

/**
 * The registry in a PostgreSQL database, which many services may share: the primary key decides which
 * of two first registrations wins. Attribution asks for wallets at once, so all codes are kept in memory
 * too; those that other services make come by LISTEN. Where the connection is lost, the next use makes
 * another.
 *
 * @param open connects; asked again after each loss
 */
export async function openPostgresRegistry(
  open: () => Promise<SqlSession>,
  rng: Rng,
): Promise<CodeRegistry> {
  const mirror = new Map<string, string>()
  let session: Promise<SqlSession> | undefined
  let isClosed = false

  async function begin(): Promise<SqlSession> {
    const opened = await open()
    try {
      await opened.query(SCHEMA)
      await opened.listen(CHANNEL, (payload) => {
        const [code, wallet] = payload.split(' ') as [string, string]
        mirror.set(code, wallet)
      })
      // After LISTEN: what is made meanwhile comes twice, and nothing is missed.
      for (const { wallet, code } of await opened.query(ALL)) {
        mirror.set(code as string, wallet as string)
      }
    } catch (error) {
      // A server that lets in and then refuses would have one connection more with each use.
      await opened.close().catch(() => {})
      throw error
    }
    return opened
  }

  function current(): Promise<SqlSession> {
    if (session) return session
    const own = begin()
    session = own
    const forget = () => {
      if (session === own) session = undefined
    }
    own.then(({ ended }) => ended.then(forget), forget)
    return own
  }

  await current()
  return {
    async register(wallet) {
      const key = wallet.toLowerCase()
      const { query } = await current()
      let created = false
      const known = async () => (await query(CODE_OF, [key]))[0]?.code as BuilderCode | undefined
      let builderCode = await known()
      while (!builderCode) {
        created = (await query(INSERT, [key, randomBuilderCode(rng)])).length === 1
        builderCode = await known()
      }
      mirror.set(builderCode, key)
      return { builderCode, walletAddress: getAddress(key), created }
    },
    walletOf(code) {
      // A code may have been made while nobody listened: it is there at the next look.
      if (!session && !isClosed) current().catch(() => {})
      const wallet = mirror.get(code)
      return wallet === undefined ? undefined : (getAddress(wallet) as Address)
    },
    async close() {
      isClosed = true
      const closing = await session?.catch(() => undefined)
      await closing?.close()
    },
  }
}
