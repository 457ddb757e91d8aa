import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import fastify from 'fastify'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'

export interface ServedDapp extends AsyncDisposable {
  url: string
  /** The test wallet, to be put into a page before the page's own script. */
  wallet: string
}

/** The sample dapp on a free port of loopback: the devnet lets in pages of there unasked. */
export async function serveDapp(description: DevnetDescription): Promise<ServedDapp> {
  const html = readFileSync(join(import.meta.dirname, 'page', 'index.html'), 'utf8')
  const script = bundle('page/main.tsx', 'esm')
  // What a page needs to know, and none of the keys.
  const { chainId, l1ChainId, rpcUrl, wsUrl, contracts, apiUrl } = description
  const server = fastify()
  server.get('/', (_request, reply) => reply.type('text/html').send(html))
  server.get('/main.js', (_request, reply) => reply.type('text/javascript').send(script))
  server.get('/devnet.json', () => ({ chainId, l1ChainId, rpcUrl, wsUrl, contracts, apiUrl }))
  return {
    url: await server.listen({ host: '127.0.0.1', port: 0 }),
    wallet: bundle('wallet/main.ts', 'iife'),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

function bundle(entry: string, format: 'esm' | 'iife'): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, entry)],
    ...{ bundle: true, write: false, format, target: 'es2022', jsx: 'automatic' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}
