import type { KeptDatabase } from '#devnet/base/process/kept-database'
import type { Rng } from '#protocol/random/rng'
import { type CodeRegistry, openCodeRegistry } from './code-registry.ts'

/**
 * The registry at a `postgres://` URL, or in a file of SQLite, which may be open.
 * @throws RollbedError POSTGRES_DRIVER_MISSING, BUILDER_CODE_DB_UNREACHABLE
 */
export async function openRegistryAt(
  where: string | KeptDatabase,
  rng: Rng,
): Promise<CodeRegistry> {
  if (typeof where !== 'string' || !/^postgres(ql)?:\/\//.test(where))
    return openCodeRegistry(where, rng)
  const [{ openPostgresRegistry }, { openPostgresSession }] = await Promise.all([
    import('./open-postgres-registry.ts'),
    import('./open-postgres-session.ts'),
  ])
  return await openPostgresRegistry(() => openPostgresSession(where), rng)
}
