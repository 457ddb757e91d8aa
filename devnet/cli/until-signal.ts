/** Resolves with the name of the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let received = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (received) process.exit(130)
      received = true
      resolve(signal)
    }
    // SIGHUP: the terminal was closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}
