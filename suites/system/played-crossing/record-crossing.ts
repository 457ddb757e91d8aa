/**
 * Records devnet/docs/played-crossing.md from a real run of some two minutes:
 *
 *     node suites/system/played-crossing/record-crossing.ts
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crossingPage } from './crossing-page.ts'
import { playCrossing } from './play-crossing.ts'

const PAGE = join(import.meta.dirname, '../../../devnet/docs/played-crossing.md')
const page = crossingPage(await playCrossing())
await writeFile(PAGE, page)
process.stdout.write(page)
