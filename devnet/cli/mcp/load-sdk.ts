import { RollbedError } from '#protocol/errors/rollbed-error'

/** What a tool gives back, as the protocol has it. */
export interface ToolResult {
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

/** What is used of `@modelcontextprotocol/sdk`. */
interface McpServer {
  registerTool(
    name: string,
    about: { description: string; inputSchema: object; annotations: object },
    run: (input: never) => Promise<ToolResult>,
  ): unknown
  connect(transport: StdioTransport): Promise<void>
  close(): Promise<void>
}

interface StdioTransport {
  onclose?: () => void
}

export interface McpSdk {
  McpServer: new (about: { name: string; version: string }, more: object) => McpServer
  StdioServerTransport: new () => StdioTransport
}

const PACKAGE = '@modelcontextprotocol/sdk'

/**
 * The official SDK. It brings a web server with it and one command uses it: who wants that command
 * installs it, and neither the types nor the start of the others ask for it.
 * @throws RollbedError MCP_SDK_MISSING
 */
export async function loadMcpSdk(): Promise<McpSdk> {
  const load = (path: string) => import(`${PACKAGE}/server/${path}`) as Promise<McpSdk>
  try {
    const [{ McpServer }, { StdioServerTransport }] = await Promise.all([
      load('mcp.js'),
      load('stdio.js'),
    ])
    return { McpServer, StdioServerTransport }
  } catch (cause) {
    throw new RollbedError('MCP_SDK_MISSING', `'rollbed mcp' needs ${PACKAGE}.`, {
      cause,
      hint: `Install it: npm install --save-dev ${PACKAGE}`,
    })
  }
}
