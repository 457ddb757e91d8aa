/**
 * Lets a command go on where nobody reads its output any more, as in `rollbed … | head`: what it says after that
 * is lost, its exit code is not.
 */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}
