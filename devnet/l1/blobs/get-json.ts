/** Bytes of an answer: the blobs of a block, several times over. */
const MAX_BODY = 64 * 1024 * 1024
/** "I do not have that", also for a path or block id that the server does not know. */
const ABSENT = new Set([400, 404, 405, 501])

/**
 * The JSON at an HTTP URL; undefined where there is nothing.
 * @throws Error that says why there is no answer; the signal's reason
 */
export async function getJson(url: string, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(url, signal ? { signal } : {})
  if (!response.ok) {
    await response.body?.cancel()
    if (ABSENT.has(response.status)) return undefined
    throw new Error(`HTTP ${response.status}`)
  }
  const text = await bodyText(response)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('it is not JSON')
  }
}

async function bodyText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > MAX_BODY) throw new Error(`it is longer than ${MAX_BODY} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
