import type { z } from 'zod'
import type { OwnDevnet } from './own-devnet.ts'

/** What an agent can do. */
export interface Tool {
  name: string
  /** For the agent: what it does, and what it gives back. */
  says: string
  input: z.ZodObject
  /** Whether it only looks, changes the devnet, or ends something in it. */
  effect: 'reads' | 'changes' | 'ends'
  run(devnet: OwnDevnet, input: never): Promise<unknown>
}

/** Keeps the type of the input from the schema to what runs. */
export function tool<T extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: T
    run(devnet: OwnDevnet, input: z.infer<T>): Promise<unknown>
  },
): Tool {
  return definition as Tool
}
