/** One connection to a database that speaks PostgreSQL. */
export interface SqlSession {
  /** @returns the rows; parameters stand as `$1`, `$2`, … */
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** From now on `hear` is called with each message that anybody sends to the channel. */
  listen(channel: string, hear: (payload: string) => void): Promise<void>
  /** Resolves once it is over, whoever ended it. */
  readonly ended: Promise<void>
  close(): Promise<void>
}
