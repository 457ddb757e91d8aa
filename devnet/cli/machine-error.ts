import { RollbedError } from '#protocol/errors/rollbed-error'

/** What the machine refuses, and what to do about it. Source: errno(3). */
const refusals: Record<string, string> = {
  ENOSPC: 'Free some space, or set TMPDIR to a folder on another disk.',
  EDQUOT: 'Free some space, or set TMPDIR to a folder that your quota does not hold for.',
  EROFS: 'Choose a folder that can be written; TMPDIR is where temporary files go.',
  EACCES: 'Choose a folder that you may write; TMPDIR is where temporary files go.',
  EPERM: 'Choose a folder that you may write; TMPDIR is where temporary files go.',
  ENOENT: 'Choose a folder that exists; TMPDIR is where temporary files go.',
  ENOTDIR: 'Choose a folder that exists; TMPDIR is where temporary files go.',
  EEXIST: 'A file has that name: choose another, or a folder.',
  EISDIR: 'Give the name of a file.',
  EMFILE: 'Allow more open files, such as with `ulimit -n 4096`.',
  ENFILE: 'The machine has too many open files: end other programs.',
  EAGAIN: 'Allow more processes, such as with `ulimit -u 4096`.',
  ENOMEM: 'The machine has too little memory: end other programs.',
}

/** A system call that the machine refused, as MACHINE_LIMIT with one sentence; other errors unchanged. */
export function asMachineError(error: unknown): unknown {
  if (error instanceof RollbedError || !(error instanceof Error)) return error
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  const hint = refusals[code]
  if (!syscall || !hint) return error
  return new RollbedError('MACHINE_LIMIT', `The machine refuses: ${message}.`, {
    hint,
    cause: error,
  })
}
