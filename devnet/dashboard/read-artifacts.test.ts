import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readArtifacts } from './read-artifacts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artifacts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('given a link that leads nowhere and a folder with the name of a file, then the artifacts beside them are read', async () => {
  await symlink(join(folder, 'gone'), join(folder, 'A.json'))
  await mkdir(join(folder, 'B.json'))
  await writeFile(join(folder, 'C.json'), '{"abi":[]}')
  expect(await readArtifacts(folder)).toMatchObject([{ name: 'C' }])
})
