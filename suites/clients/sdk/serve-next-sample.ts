import { build, type Plugin, stop } from 'esbuild'
import fastify from 'fastify'
import { NEXT_FILES } from '#devnet/cli/next-files'
import { ROOT } from '#suites/house/docs/source-tree'

/** What Next.js makes of `app`: the layout around the page, in a document. */
const ENTRY = `
import { createRoot } from 'react-dom/client'
import { Providers } from './providers'
import TipJar from './page'
createRoot(document.body).render(<Providers><TipJar /></Providers>)
`

/** The page of `rollbed init next` on a free port of loopback, without Next.js. */
export async function serveNextSample(): Promise<AsyncDisposable & { url: string }> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, loader: 'tsx', resolveDir: ROOT, sourcefile: 'app/main.tsx' },
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022', jsx: 'automatic' },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [writtenFiles],
    logLevel: 'warning',
  })
  await stop()
  const server = fastify()
  const html = '<!doctype html><title>Tip jar</title><script type="module" src="/main.js"></script>'
  server.get('/', (_request, reply) => reply.type('text/html').send(html))
  server.get('/main.js', (_request, reply) =>
    reply.type('text/javascript').send(outputFiles[0]!.text),
  )
  return {
    url: await server.listen({ host: '127.0.0.1', port: 0 }),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** They lie in no folder. */
const writtenFiles: Plugin = {
  name: 'written-files',
  setup({ onResolve, onLoad }) {
    const nameOf = (path: string) => Object.keys(NEXT_FILES).find((name) => name.startsWith(path))
    onResolve({ filter: /^\.\// }, ({ path, importer }) => {
      const name = importer.includes('node_modules') ? undefined : nameOf(`app${path.slice(1)}.`)
      return name ? { path: name, namespace: 'written' } : undefined
    })
    onLoad({ filter: /./, namespace: 'written' }, ({ path }) => ({
      contents: NEXT_FILES[path as keyof typeof NEXT_FILES],
      ...{ loader: path.endsWith('x') ? 'tsx' : 'ts', resolveDir: ROOT },
    }))
  },
}
