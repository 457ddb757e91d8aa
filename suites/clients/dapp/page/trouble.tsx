import { BaseError, ChainDisconnectedError, HttpRequestError, UserRejectedRequestError } from 'viem'

/** An error in the words of the one who meets it; nothing where there is none. */
export function Trouble({ error }: { error: Error | null }) {
  return error && <p role="alert">{plainWords(error)}</p>
}

/** By code: what a wallet throws is no class of ours, and viem wraps only some of it. */
function plainWords(error: Error): string {
  const causes = [...causesOf(error)]
  const hasCode = (wanted: unknown) => causes.some(({ code }) => code === wanted)
  if (hasCode('BUILDER_CODES_UNREACHABLE')) {
    return 'Builder codes cannot be had just now. Tips work without one.'
  }
  if (hasCode(UserRejectedRequestError.code)) {
    return 'You said no in your wallet. Nothing was sent.'
  }
  const isDown = causes.some((cause) => cause instanceof HttpRequestError)
  if (isDown || hasCode(ChainDisconnectedError.code)) {
    return 'The chain does not answer. Please try again in a moment.'
  }
  return error instanceof BaseError ? error.shortMessage : error.message
}

function* causesOf(error: unknown): Generator<Error & { code?: unknown }> {
  if (!(error instanceof Error)) return
  yield error
  yield* causesOf(error.cause)
}
