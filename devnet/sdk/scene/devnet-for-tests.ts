import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import { startDevnetLazily } from '#devnet/start-devnet-lazily'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { type ConnectedDevnet, connectDevnet } from '../connect-devnet.ts'

/** The devnet of a test worker, with what ends it. */
export interface DevnetForTests {
  devnet: ConnectedDevnet
  stop(): Promise<void>
}

/**
 * The devnet at `ROLLBED_URL` where that is set (a URL, or a file of `--config-out`), so that all
 * workers share one; else a new one, without enclaves unless the options ask for some.
 * @throws RollbedError as `startDevnet` does, with what to do about it in the message
 */
export async function devnetForTests(options: DevnetOptions): Promise<DevnetForTests> {
  const { ROLLBED_URL } = process.env
  if (ROLLBED_URL) return { devnet: await connectDevnet(ROLLBED_URL), stop: async () => {} }
  const devnet = await startDevnetLazily({ enclaves: 0, ...options }).catch(sayWhatToDo)
  return { devnet, stop: () => devnet.stop() }
}

/** Vitest prints the message of an error, and none of its other members. */
function sayWhatToDo(error: unknown): never {
  if (error instanceof RollbedError && error.hint) error.message += ` ${error.hint}`
  throw error
}
