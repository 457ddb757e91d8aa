import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Driver, DriverFactory, DriverOptions } from './driver.ts'

/** A whole driver to copy, in a checkout and in the package alike. */
const OWN_DRIVER = join(import.meta.dirname, `own-driver${extname(import.meta.filename)}`)

/** The file of `--driver` is no driver module. */
export class BadDriver extends RollbedError {
  constructor(file: string, cause?: unknown) {
    super('BAD_DRIVER', `${file} is no driver module.`, {
      hint: `Its default export must be a function that makes a Driver of 'rollbed/conform', as that of ${OWN_DRIVER}.`,
      cause,
    })
  }
}

/**
 * Loads the module of a driver, without starting it: a wrong file is told before any URL is tried.
 *
 * @param file a path, from the working directory, of a module whose default export makes a `Driver`
 * @returns what starts the driver, with the same options as `createTestMnemonicDriver`
 * @throws BadDriver (BAD_DRIVER) when the file cannot be loaded, or has no such export
 * @see reports/drivers.md
 * @example
 * import { loadDriver } from 'rollbed/conform'
 *
 * const start = await loadDriver('suites/gate/conformance/drivers/own-driver.ts')
 * console.log(start)
 */
export async function loadDriver(
  file: string,
): Promise<(options: DriverOptions) => Promise<Driver>> {
  const module = (await import(pathToFileURL(resolve(file)).href).catch((error) => {
    throw new BadDriver(file, error)
  })) as { default?: unknown }
  if (typeof module.default !== 'function') throw new BadDriver(file)
  const start = module.default as DriverFactory
  return async (options) => await start({ ...options, file })
}
