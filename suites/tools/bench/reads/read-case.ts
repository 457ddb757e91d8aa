import type { Contestant } from './contestant.ts'
import type { Question } from './load.ts'

/** One kind of read. */
export interface ReadCase {
  what: string
  /** Default 16. */
  connections?: number
  questions(contestant: Contestant): Promise<Question[]> | Question[]
}
