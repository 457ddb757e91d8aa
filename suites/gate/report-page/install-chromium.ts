import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
/** Where macOS has what is not on its PATH. */
const APPLICATIONS = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
)

/** No browser, and no way to install one. */
export class ChromiumMissing extends Error {
  constructor(hint: string, cause?: unknown) {
    super(`The report page is tested in Chromium, and none was found. ${hint}`, { cause })
  }
}

/**
 * Finds Chromium on the PATH, installing Debian's package when it is missing and we are root.
 *
 * @returns the path of the executable
 * @throws ChromiumMissing with what to do about it
 */
export async function ensureChromium(): Promise<string> {
  const found = await findChromium()
  if (found) return found
  if (process.getuid?.() !== 0) {
    const command =
      process.platform === 'darwin'
        ? 'brew install --cask chromium'
        : 'sudo apt-get install chromium'
    throw new ChromiumMissing(`Install it with \`${command}\`.`)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env, maxBuffer: 64 * 1024 * 1024 }
  try {
    await run('apt-get', ['update', '-q'], options)
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options)
  } catch (error) {
    throw new ChromiumMissing('`apt-get install chromium` failed; install it by hand.', error)
  }
  const installed = await findChromium()
  if (!installed) throw new ChromiumMissing('apt-get put no chromium on the PATH.')
  return installed
}

async function findChromium(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  for (const path of [...onPath, ...APPLICATIONS])
    if (await access(path, constants.X_OK).then(isDone, isMissing)) return path
  return undefined
}

const isDone = () => true
const isMissing = () => false

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await ensureChromium()}\n`)
}
