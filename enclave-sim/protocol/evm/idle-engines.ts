import { Engine } from './engine.ts'

/** Engines that wait for their next use. */
const idle: Engine[] = []
/** As many as a simulated world has at work: three of its node, two of L1, and those of a proof and of a trace. */
const MOST_IDLE = 7

/**
 * An engine that nothing else uses, until it is given back; it knows nothing of its uses before. A fresh one reserves
 * 245 MB that it does not touch. V8 takes these for memory in use: whoever makes and drops engines keeps it busy
 * collecting garbage.
 */
export function takeEngine(): Engine {
  return idle.pop() ?? new Engine()
}

/** Nothing may run on it any more. */
export function giveBackEngine(engine: Engine): void {
  engine.forget()
  const isWorthKeeping = engine.memoryBytes > 0
  if (isWorthKeeping && idle.length < MOST_IDLE) idle.push(engine)
}
