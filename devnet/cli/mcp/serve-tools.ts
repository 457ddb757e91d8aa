import { packageVersion } from '#devnet/base/package-version'
import { explainError } from '#protocol/errors/error-table'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { loadMcpSdk, type ToolResult } from './load-sdk.ts'
import { OwnDevnet } from './own-devnet.ts'
import type { Tool } from './tool.ts'
import { TOOLS } from './tools.ts'

const INSTRUCTIONS =
  'Tools for one local devnet of a Base-like rollup. Call start first. Transactions are pre-confirmed within 200 ms; try what may go wrong on a branch.'

/**
 * Serves the tools over standard input and output until the agent closes them or the process is told to
 * end; then the devnet is gone, too.
 * @param signal resolves when the process is told to end
 * @throws RollbedError MCP_SDK_MISSING
 */
export async function serveTools(signal: Promise<unknown>): Promise<void> {
  const { McpServer, StdioServerTransport } = await loadMcpSdk()
  const about = { name: 'rollbed', version: packageVersion }
  const server = new McpServer(about, { instructions: INSTRUCTIONS })
  const devnet = new OwnDevnet()
  for (const tool of TOOLS) {
    const { name, says, input, effect } = tool
    const annotations = {
      ...{ readOnlyHint: effect === 'reads', destructiveHint: effect === 'ends' },
      openWorldHint: false,
    }
    server.registerTool(
      name,
      { description: says, inputSchema: input.shape, annotations },
      (given) => answer(tool, devnet, given),
    )
  }
  const closed = new Promise<void>((resolve) => process.stdin.once('end', resolve))
  try {
    await server.connect(new StdioServerTransport())
    await Promise.race([closed, signal])
  } finally {
    await server.close()
    await devnet.end()
  }
}

/** An agent reads what went wrong as it reads a result. */
async function answer(tool: Tool, devnet: OwnDevnet, given: unknown): Promise<ToolResult> {
  try {
    return resultOf(await tool.run(devnet, tool.input.parse(given ?? {}) as never))
  } catch (error) {
    return { ...resultOf({ error: errorOf(error as Error) }), isError: true }
  }
}

function errorOf(error: Error) {
  const { message } = error
  if (!(error instanceof RollbedError)) return { code: 'FAILED', message }
  const { code, hint } = error
  const more = explainError(code)
  return { code, message, hint: hint ?? more?.action, id: more?.id, page: more?.page }
}

const resultOf = (value: unknown): ToolResult => ({
  content: [
    {
      type: 'text',
      text: JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `${one}` : one)),
    },
  ],
})
