import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { librariesOf, writeInitramfs } from './write-initramfs.ts'

test('given what ldd(1) prints, then the libraries are every path that it names, once', () => {
  const ldd = [
    '/bin/node:',
    '\tlinux-vdso.so.1 (0x00007ffd)',
    '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f10)',
    '\t/lib64/ld-linux-x86-64.so.2 (0x00007f11)',
    '/image/koffi.node:',
    '\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f12)',
  ].join('\n')
  expect(librariesOf(ldd)).toEqual([
    '/lib/x86_64-linux-gnu/libm.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ])
})

/** Of the system, where it has them. */
const CPIO = 'cpio'
const able = [CPIO, 'ldd'].every((name) => spawnSync(name, ['--version']).status === 0)

describe.skipIf(!able)('an initramfs', () => {
  let directory: string
  let path: string
  const listed = () => execFileSync(CPIO, ['-it', '--quiet', '-F', path], { encoding: 'utf8' })
  const content = (name: string) =>
    execFileSync(CPIO, ['-i', '--quiet', '--to-stdout', '-F', path, name], { encoding: 'utf8' })

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rb-'))
    path = join(directory, 'initramfs')
    const imageDir = join(directory, 'image')
    mkdirSync(imageDir)
    const modules = ['virtio.ko', 'vsock.ko'].map((name) => join(directory, name))
    for (const file of [...modules, join(imageDir, 'chains.json'), join(imageDir, 'enclave.mjs')])
      writeFileSync(file, `the bytes of ${file.slice(directory.length)}`)
    // Any program that is linked with libraries will do: Node is large.
    await writeInitramfs({ path, imageDir, modules, nodeBinary: '/bin/sh' })
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  test('then it has init, Node, its loader, the modules in their order, and the image', () => {
    const names = listed().trim().split('\n')
    for (const name of ['init', 'bin/node', 'dev/console', 'dev/null', 'proc'])
      expect(names).toContain(name)
    expect(names.some((name) => /^lib.*\/ld-linux/.test(name))).toBe(true)
    expect(names.filter((name) => name.startsWith('modules/'))).toEqual([
      'modules/00-virtio.ko',
      'modules/01-vsock.ko',
    ])
    expect(names.filter((name) => name.startsWith('enclave/image/'))).toEqual([
      'enclave/image/chains.json',
      'enclave/image/enclave.mjs',
    ])
    expect(content('enclave/image/enclave.mjs')).toBe('the bytes of /image/enclave.mjs')
  })

  test('then its init is one that Node takes as it stands, started by the kernel', () => {
    expect(content('init')).toMatch(/^#!\/bin\/node\n/)
    const script = join(directory, 'init.mjs')
    writeFileSync(script, content('init'))
    expect(spawnSync(process.execPath, ['--check', script]).status).toBe(0)
  })

  test('then it is for its owner alone', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})
