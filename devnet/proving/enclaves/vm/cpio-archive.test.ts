import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type CpioEntry, cpioArchive } from './cpio-archive.ts'

/** Of the system, where it has one. */
const CPIO = 'cpio'
const archive = (entries: CpioEntry[]) => Buffer.concat([...cpioArchive(entries)])
const file = (name: string, content: string, executable = false): CpioEntry => ({
  kind: 'file',
  name,
  executable,
  read: () => Buffer.from(content),
})
const hasCpio = spawnSync(CPIO, ['--version']).status === 0

describe('an archive', () => {
  // Laid out by hand after buffer-format.rst: magic, thirteen fields, name, contents.
  test('given one file, then it is a header of 110 bytes, the name and the bytes, each padded to four', () => {
    const field = (number: number) => number.toString(16).padStart(8, '0')
    const header = (numbers: number[], name: string) =>
      `070701${numbers.map(field).join('')}${name}\0`
    const first = header([1, 0o100755, 0, 0, 1, 0, 5, 0, 0, 0, 0, 5, 0], 'init')
    const last = header([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 11, 0], 'TRAILER!!!')
    expect(archive([file('init', 'hello', true)]).toString('latin1')).toBe(
      `${first}\0hello\0\0\0${last}\0\0\0`,
    )
  })

  test('given paths that share folders, then each folder stands once, before what is in it', () => {
    const entries = [file('a/b/c', ''), file('a/b/d', ''), file('a/e', '')]
    const names = archive(entries)
      .toString('latin1')
      .match(/[a-e](?:\/[a-e])*(?=\0)/g)
    expect(names).toEqual(['a', 'a/b', 'a/b/c', 'a/b/d', 'a/e'])
  })

  test('when it is read, then one file at a time is opened, when its turn comes', () => {
    const reads: string[] = []
    const watched = (name: string): CpioEntry => ({
      kind: 'file',
      name,
      read: () => {
        reads.push(name)
        return Buffer.of(1)
      },
    })
    const pieces = cpioArchive([watched('a'), watched('b')])
    pieces.next()
    expect(reads).toEqual(['a'])
  })
})

describe.skipIf(!hasCpio)('cpio(1)', () => {
  const entries: CpioEntry[] = [
    { kind: 'directory', name: 'proc' },
    { kind: 'device', name: 'dev/console', major: 5, minor: 1 },
    file('init', '#!/bin/node\n', true),
    file('enclave/image/chains.json', '[]'),
    file('größe', 'xyz'),
  ]

  test('when it lists, then it shows what was written, with modes, sizes and device numbers', () => {
    const options = {
      input: archive(entries),
      encoding: 'utf8' as const,
      env: { LC_ALL: 'C', TZ: 'UTC' },
    }
    const lines = execFileSync(CPIO, ['-itv', '--quiet', '-n'], options).trim().split('\n')
    const listed = lines.map((line) => line.replace(/ +Jan +1 +1970 /, ' ').replace(/ +/g, ' '))
    expect(listed).toEqual([
      'drwxr-xr-x 1 0 0 0 proc',
      'drwxr-xr-x 1 0 0 0 dev',
      'crw------- 1 0 0 5, 1 dev/console',
      '-rwxr-xr-x 1 0 0 12 init',
      'drwxr-xr-x 1 0 0 0 enclave',
      'drwxr-xr-x 1 0 0 0 enclave/image',
      '-rw-r--r-- 1 0 0 2 enclave/image/chains.json',
      expect.stringMatching(/^-rw-r--r-- 1 0 0 3 gr/),
    ])
  })

  test('when it unpacks, then it gives back the bytes of a file', () => {
    const options = { input: archive(entries), encoding: 'utf8' as const }
    expect(execFileSync(CPIO, ['-i', '--quiet', '--to-stdout', 'größe'], options)).toBe('xyz')
  })
})
