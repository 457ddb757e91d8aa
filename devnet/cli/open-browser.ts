import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The command that opens an address: `$BROWSER`, or the system's own. */
const opener = (): string =>
  process.env.BROWSER ?? (process.platform === 'darwin' ? 'open' : 'xdg-open')

/** Opens an address in the user's browser; says it where that cannot be done, and goes on. */
export async function openBrowser(url: string): Promise<void> {
  const browser = spawn(opener(), [url], { stdio: 'ignore', detached: true })
  browser.unref()
  try {
    await once(browser, 'spawn')
  } catch {
    console.error(`No browser could be started with '${opener()}'. Set BROWSER, or open ${url}.`)
  }
}
