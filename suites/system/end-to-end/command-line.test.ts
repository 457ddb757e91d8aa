import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { RollbedProcess, rollbed } from './rollbed-process.ts'

describe('the command line', () => {
  test.each([
    ['an unknown flag', ['up', '--nonsense']],
    ['an unknown command', ['fly']],
    ['a block time that is no number', ['up', '--block-time', 'fast']],
    ['an unknown profile', ['up', '--profile', 'geth']],
    ['a port base out of range', ['up', '--port-base', '70000']],
    ['a proof range that ends before it begins', ['prove', '--from', '9', '--to', '3']],
    ['a missing option', ['prove', '--from', '9']],
    ['a target that is no URL', ['conform', '--rpc', 'localhost']],
  ])(
    'given %s, then it is refused with exit code 2 and one clear sentence',
    async (_name, args) => {
      const { exitCode, stdout, stderr } = await rollbed(args)
      expect(exitCode).toBe(2)
      expect(stdout).toBe('')
      expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
      expect(stderr).not.toMatch(/\n\s+at /)
    },
  )

  test.each([['--help'], ['up', '--help'], ['prove', '--help'], ['conform', '--help']])(
    'given %s, then help is printed and the exit code is 0',
    async (...args) => {
      const { exitCode, stdout } = await rollbed(args)
      expect(exitCode).toBe(0)
      expect(stdout).toContain('Usage: rollbed')
    },
  )

  test('given a reader that leaves before the first word, as `head` may, then the exit code is as without it', async () => {
    const unread = new RollbedProcess(['fly'])
    unread.child.stdout!.destroy()
    unread.child.stderr!.destroy()
    expect(await unread.outcome).toMatchObject({ exitCode: 2 })
    const help = new RollbedProcess(['conform', '--help'])
    help.child.stdout!.destroy()
    expect(await help.outcome).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test('given a busy port, when `up` starts, then it ends with exit code 3 and names the port', async () => {
    // Below the ports that systems give away, so that no other test has one of its services there.
    const port = 12_000 + (process.pid % 10_000)
    const blocker = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { exitCode, stderr } = await rollbed(['up', '--port-base', String(port)])
    await new Promise((resolve) => blocker.close(resolve))
    expect(exitCode).toBe(3)
    expect(stderr).toContain(`PORT_BUSY: Port ${port}`)
  })

  test('given no devnet, when `prove` starts, then it ends with exit code 3 and says how to start one', async () => {
    const { exitCode, stderr } = await rollbed(['prove', '--from', '1', '--to', '2'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('NO_DEVNET')
    expect(stderr).toContain('rollbed up')
  })

  test('given an unreachable target and a driver, when `conform` starts, then it ends with exit code 3 and one sentence', async () => {
    const args = ['conform', '--rpc', 'http://127.0.0.1:1', '--driver', 'devnet']
    const { exitCode, stderr } = await rollbed(args)
    expect(exitCode).toBe(3)
    expect(stderr).toContain('TARGET_UNREACHABLE')
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('given an unreachable target, when `conform` starts, then it ends with exit code 3', async () => {
    const { exitCode, stderr } = await rollbed(['conform', '--rpc', 'http://127.0.0.1:1'])
    expect(exitCode).toBe(3)
    expect(stderr).toContain('UNREACHABLE')
  })
})
