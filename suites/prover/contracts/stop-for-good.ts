import type { L1 } from '#devnet/l1/start-l1'

/** Stops an L1 and makes sure that nothing of it is left. */
export async function stopForGood(l1: L1): Promise<void> {
  await l1.stop()
  if (processExists(l1.pid)) throw new Error(`anvil (process ${l1.pid}) outlived its stop`)
}

/** True while the operating system knows the process. */
function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
