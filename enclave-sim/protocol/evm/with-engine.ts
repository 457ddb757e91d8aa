import { Engine } from './engine.ts'

/** Engines that wait for their next use; as many as are used at the same time, as a rule. */
const idle: Engine[] = []
const MOST_IDLE = 2

/**
 * Lends an engine for a while; it knows nothing of its uses before. A fresh one reserves 245 MB that
 * it does not touch. V8 takes these for memory in use: whoever makes and drops engines keeps it busy
 * collecting garbage.
 */
export async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = idle.pop() ?? new Engine()
  try {
    return await use(engine)
  } finally {
    engine.forget()
    if (idle.length < MOST_IDLE) idle.push(engine)
  }
}
