import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { cacheFolder, ownFolder } from '#devnet/base/process/own-folder'

/**
 * Lets Node keep compiled code in the user's own cache folder, which saves most of the start-up time
 * of later runs. Without a folder that is ours alone there is no cache: who can write there runs code
 * as us. Node's own default, a folder in the temporary directory, can be made by anybody.
 */
export function useCompileCache(env: NodeJS.ProcessEnv = process.env): void {
  const folder = ownFolder(join(cacheFolder(env), 'compiled'))
  if (folder) enableCompileCache(folder)
}
