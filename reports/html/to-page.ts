import { createHash } from 'node:crypto'

export interface PageParts {
  title: string
  style: string
  /** Runs at the end of the body. Absent: the page runs none. */
  script?: string
  bodyClass?: string
  /** Markup. */
  body: string
}

/**
 * One HTML file that needs nothing else: no network, no server. Its own content security policy
 * allows exactly its style sheet and script, so it is safe to open whatever stands in it.
 */
export function toPage({ title, style, script, bodyClass, body }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script ? [`script-src '${hashOf(script)}'`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${style}</style>
</head>
<body${bodyClass ? ` class="${bodyClass}"` : ''}>
${body}${script ? `\n<script>${script}</script>` : ''}
</body>
</html>
`
}

/** As a content security policy names a style sheet or script (CSP 3, hash-source). */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
