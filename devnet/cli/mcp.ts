import type { Command } from 'commander'
import { addCommand } from './add-command.ts'
import { whileWanted } from './while-wanted.ts'

/** `rollbed mcp`: a devnet of its own as tools for an agent, over standard input and output. */
export function addMcpCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, {
    name: 'mcp',
    says: 'Give an agent a devnet of its own by the Model Context Protocol, over standard input and output.',
    examples: ['rollbed mcp'],
  }).action(async () => {
    const { serveTools } = await import('./mcp/serve-tools.ts')
    await whileWanted(serveTools)
    finish(0)
  })
}
