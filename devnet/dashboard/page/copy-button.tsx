import { useState } from 'preact/hooks'

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('The browser refused'),
    )
  return (
    <span class="copy">
      <button type="button" aria-label={`Copy the ${what}`} onClick={copy}>
        Copy
      </button>
      <output>{said}</output>
    </span>
  )
}
