import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rollbed } from '#suites/system/end-to-end/rollbed-process'
import { drawText } from './draw-text.ts'

/** `node suites/tools/pictures/draw-rehearsal.ts`: what `rollbed rehearse` says of a dapp that breaks in seven ways. */
const TITLE = 'What rollbed rehearse says of a dapp that breaks in seven ways'
const ROOT = join(import.meta.dirname, '../../..')
const dapp = join(ROOT, 'suites/system/rehearsal/breaking-dapp.mjs')
const flags = ['--port-base', '0', '--denim-after', '6']
const { stdout } = await rollbed(['rehearse', ...flags, '--', process.execPath, dapp])
// The picture is of a dapp, not of the machine that it ran on.
const report = stdout.replaceAll(process.execPath, 'node').replaceAll(dapp, 'dapp.mjs')
await writeFile(join(ROOT, 'devnet/docs/rehearsal.svg'), drawText(report.trimEnd(), TITLE))
