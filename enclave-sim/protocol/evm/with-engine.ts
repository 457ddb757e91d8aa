import type { Engine } from './engine.ts'
import { giveBackEngine, takeEngine } from './idle-engines.ts'

/** Lends an engine for a while. */
export async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = takeEngine()
  try {
    return await use(engine)
  } finally {
    giveBackEngine(engine)
  }
}
