import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { lane } from '#suites/lane'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'devnet', 'docs', 'farm')
const judges = lane('package')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const [claim, job] = parseAllDocuments(read('job.yaml')).map((document) => document.toJS())

interface Model {
  validate(): void
}
type Models = Record<string, new (json: unknown) => Model>

test('given the manifest, then it is an Indexed Job that says how many parts there are, on the corpus that it claims', () => {
  const [container] = job.spec.template.spec.containers
  expect(job.spec).toMatchObject({ completionMode: 'Indexed', parallelism: job.spec.completions })
  expect(container.env).toEqual([{ name: 'JOB_COMPLETIONS', value: `${job.spec.completions}` }])
  const [volume] = job.spec.template.spec.volumes
  expect(volume.persistentVolumeClaim.claimName).toBe(claim.metadata.name)
  const [mount] = container.volumeMounts
  expect(mount.name).toBe(volume.name)
  expect(container.args).toEqual(['fault', 'farm', '--corpus', mount.mountPath, '--for', '8h'])
})

describe.skipIf(!judges.isInstalled)('by those who judge such files', () => {
  test("given the manifest, then Kubernetes' own schema takes it, and one with a wrong value it does not", async () => {
    const jobs = await judges.load<Models>('kubernetes-models/batch/v1/Job.js')
    const claims = await judges.load<Models>('kubernetes-models/v1/PersistentVolumeClaim.js')
    new claims.PersistentVolumeClaim!(claim).validate()
    new jobs.Job!(job).validate()
    const wrong = { ...job, spec: { ...job.spec, completions: 'eight' } }
    expect(() => new jobs.Job!(wrong).validate()).toThrow(/completions/)
  })

  test('given the container file, then nothing is wrong with it, and with an unknown instruction something is', async () => {
    type Linter = { validate(text: string): { message: string }[] }
    const loaded = await judges.load<Linter & { default?: Linter }>('dockerfile-utils/lib/main.js')
    const { validate } = loaded.default ?? loaded
    expect(validate(read('Containerfile'))).toEqual([])
    expect(validate(`${read('Containerfile')}FORM x\n`).length).toBe(1)
  })
})
