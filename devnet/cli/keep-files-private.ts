import { isMainThread } from 'node:worker_threads'
import type { Command } from 'commander'

/** They make what is there to be shown to others: a web server may run as another user. */
const PUBLISHING = ['rollbed report site', 'rollbed report verify', 'rollbed init']

/**
 * From here on what a command writes is its owner's alone, also in a folder that was there: descriptions
 * hold private keys, and reports, recorded events and exported states what users did. The permissions of
 * files that exist stay as they are.
 */
export function keepFilesPrivate(command: Command): void {
  // A worker thread cannot; its process did.
  if (isMainThread && !PUBLISHING.includes(nameOf(command))) process.umask(0o077)
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}
