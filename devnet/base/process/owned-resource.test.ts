import { expect, test } from 'vitest'
import { ResourceStack } from './owned-resource.ts'

test('given a stop that failed, when something is added after it, then that is stopped, too, and the first failure stays', async () => {
  const resources = new ResourceStack()
  resources.defer(() => {
    throw new Error('the first')
  })
  await expect(resources.stop()).rejects.toThrow('the first')
  const late = Promise.withResolvers<string>()
  resources.defer(() => late.resolve('stopped'))
  resources.defer(() => {
    throw new Error('the second')
  })
  expect(await late.promise).toBe('stopped')
  await expect(resources.stop()).rejects.toThrow('the first')
})
