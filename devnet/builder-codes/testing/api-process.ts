import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, 'serve-registry.ts')

export interface Answer {
  status: number
  builderCode: string
}

/** A builder-code API in a process of its own. */
export class ApiProcess {
  readonly #child: ChildProcess
  readonly #url: Promise<string>
  readonly #ended: Promise<unknown>

  constructor(path: string, seed: string) {
    this.#child = spawn(process.execPath, ['--no-warnings', PROGRAM, path, seed], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#ended = once(this.#child, 'exit')
    const firstLine = once(this.#child.stdout!, 'data').then(([line]) => String(line).trim())
    const died = this.#ended.then(() => {
      throw new Error('The API ended before it was ready.')
    })
    this.#url = Promise.race([firstLine, died])
    this.#url.catch(() => {})
    died.catch(() => {})
  }

  /** @throws when the process is killed before it answers. */
  async register(walletAddress: string): Promise<Answer> {
    const response = await fetch(`${await this.#url}/v1/agents/builder-codes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress }),
    })
    const { builderCode } = (await response.json()) as Answer
    return { status: response.status, builderCode }
  }

  ready(): Promise<string> {
    return this.#url
  }

  /** kill -9: nothing is flushed, nothing is finished. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
