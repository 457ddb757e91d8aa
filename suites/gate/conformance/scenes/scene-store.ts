import type { CaseContext, Scene } from '../conformance-case.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { ExchangeRecorder } from '../wire/exchange-recorder.ts'

/** What a scene is built in. */
interface Setting {
  context: CaseContext
  recorder: ExchangeRecorder
  limit: TimeLimit
  /** Closes what was opened for it: its value keeps no line. */
  close(): void
}

interface Staged {
  value: Promise<unknown>
  recorder: ExchangeRecorder
}

/** Scenes by name; one per run, with facts that may be shared between runs on one chain. */
export class SceneStore {
  readonly #facts: Map<string, Staged>
  readonly #observations = new Map<string, Staged>()

  constructor(shareFactsWith?: SceneStore) {
    this.#facts = shareFactsWith ? shareFactsWith.#facts : new Map()
  }

  /** The scene, built on first use; `makeContext` gives the context to build it in. */
  stage<T>(
    scene: Scene<T>,
    makeContext: () => Setting,
  ): { value: Promise<T>; recorder: ExchangeRecorder } {
    const shelf = scene.kind === 'fact' ? this.#facts : this.#observations
    let staged = shelf.get(scene.name)
    if (!staged) {
      const { context, recorder, limit, close } = makeContext()
      staged = { value: limit.hold(scene.build(context)), recorder }
      staged.value
        .catch(() => undefined)
        .finally(() => {
          limit.end()
          close()
        })
      shelf.set(scene.name, staged)
    }
    return staged as { value: Promise<T>; recorder: ExchangeRecorder }
  }
}
