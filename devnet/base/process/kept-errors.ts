import { RollbedError } from '#protocol/errors/rollbed-error'

/** Something that outlives the process is not what was written there. */
export function damaged(
  file: string,
  what: string,
  { hint = PUT_BACK, cause }: { hint?: string; cause?: unknown } = {},
): RollbedError {
  const message = `${file} is not what was written there: ${what}.`
  return new RollbedError('STATE_DAMAGED', message, { hint, cause })
}

/** Something that outlives the process cannot be read by this rollbed, or by this user. */
export function unreadable(
  file: string,
  what: string,
  cause?: unknown,
  hint?: string,
): RollbedError {
  return new RollbedError('STATE_UNREADABLE', `${file} cannot be used: ${what}.`, {
    hint: IS_FULL.test(what)
      ? 'Nothing was changed. Make room on its disk, and start again.'
      : hint
        ? hint
        : 'Was it written by another version of rollbed, or by something else, or may this user not write it? Nothing was changed; another --state folder begins anew.',
    cause,
  })
}

/** What SQLite, or whoever read a file of it, says of that file. One that names the file stays as it is. */
export function sqliteError(file: string, error: unknown, hint?: string): RollbedError {
  if (error instanceof RollbedError) return error
  const { errcode, message } = error as { errcode?: number; message: string }
  const isTorn = errcode !== undefined && [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff)
  return isTorn
    ? damaged(file, message, { cause: error, ...(hint && { hint }) })
    : unreadable(file, message, error, hint)
}

/** Of SQLite: the file is damaged, or is none of its own. */
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** In the words of SQLite, and of the system. */
const IS_FULL = /disk is full|ENOSPC/
const PUT_BACK =
  'Nothing was changed. Put the whole folder back from a copy, or begin anew in another --state folder.'
