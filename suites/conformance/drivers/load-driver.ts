import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RollbedError } from '../../../enclave-sim/protocol/errors/rollbed-error.ts'
import type { Driver, DriverFactory, DriverOptions } from './driver.ts'

/** The file of `--driver` is no driver module. */
export class BadDriver extends RollbedError {
  constructor(file: string, cause?: unknown) {
    super('BAD_DRIVER', `${file} is no driver module.`, {
      hint: 'Its default export must be a function that makes a Driver (suites/conformance/drivers/driver.ts).',
      cause,
    })
  }
}

/** Loads and starts the driver of a module file. @throws BadDriver */
export async function loadDriver(file: string, options: DriverOptions): Promise<Driver> {
  const module = (await import(pathToFileURL(resolve(file)).href).catch((error) => {
    throw new BadDriver(file, error)
  })) as { default?: unknown }
  if (typeof module.default !== 'function') throw new BadDriver(file)
  return (module.default as DriverFactory)({ ...options, file })
}
