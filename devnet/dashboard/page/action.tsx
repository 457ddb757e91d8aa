import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** A form with one button. It does something, and shows in one sentence how it went. */
export function Action(props: {
  label: string
  /** @returns one sentence */
  run: (fields: FormData) => Promise<ComponentChildren>
  children?: ComponentChildren
}) {
  const [said, setSaid] = useState<ComponentChildren>()
  const [isBusy, setBusy] = useState(false)
  return (
    <form
      class="action"
      onSubmit={(event) => {
        event.preventDefault()
        setBusy(true)
        props
          .run(new FormData(event.currentTarget))
          .then(setSaid, (error) => setSaid((error as Error).message))
          .finally(() => setBusy(false))
      }}
    >
      {props.children}
      <button type="submit" disabled={isBusy}>
        {props.label}
      </button>
      <output>{said}</output>
    </form>
  )
}
