import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unpackKernel } from './testing/unpack-kernel.ts'
import { requireVmTools, type VmSearch, vmRequirements } from './vm-requirements.ts'

const PROGRAMS = ['qemu-system-x86_64', 'vhost-device-vsock', 'setpriv']

let system: string
let search: VmSearch
beforeEach(() => {
  system = mkdtempSync(join(tmpdir(), 'rb-'))
  mkdirSync(join(system, 'bin'))
  for (const name of PROGRAMS) program(name)
  unpackKernel(system, '6.1.0-9-cloud-amd64')
  const env = { PATH: `/nowhere:${join(system, 'bin')}` }
  search = { platform: 'linux', arch: 'x64', env, boot: join(system, 'boot') }
})
afterEach(() => rmSync(system, { recursive: true }))

function program(name: string, mode = 0o755): string {
  const path = join(system, 'bin', name)
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}

const missing = (changed: Partial<VmSearch>) =>
  vmRequirements({ ...search, ...changed }).flatMap(({ name, found }) => (found ? [] : [name]))

describe('what machines want', () => {
  test('given tools on PATH and a kernel that is installed, then they are found', () => {
    expect(missing({})).toEqual([])
    const tools = requireVmTools(search)
    expect(tools).toMatchObject({
      qemu: join(system, 'bin/qemu-system-x86_64'),
      vsockDevice: join(system, 'bin/vhost-device-vsock'),
      setpriv: join(system, 'bin/setpriv'),
      kernel: { path: join(system, 'boot/vmlinuz-6.1.0-9-cloud-amd64') },
    })
  })

  test('given variables that name them, then these come before what is installed', () => {
    const elsewhere = join(system, 'elsewhere')
    const kernel = unpackKernel(elsewhere, '6.6')
    const [qemu, vsockDevice] = [program('my-qemu'), program('my-vsock')]
    const env = {
      ...search.env,
      ROLLBED_VM_QEMU: qemu,
      ROLLBED_VM_VSOCK: vsockDevice,
      ROLLBED_VM_KERNEL: kernel,
    }
    const tools = requireVmTools({ ...search, env })
    expect(tools).toMatchObject({ qemu, vsockDevice, kernel: { path: kernel } })
  })

  test('given a variable that names nothing, then it is missing, whatever is installed', () => {
    const nothing = join(system, 'nothing')
    const env = { ...search.env, ROLLBED_VM_KERNEL: nothing, ROLLBED_VM_VSOCK: nothing }
    expect(missing({ env })).toEqual(['vhost-device-vsock', 'kernel with vsock'])
  })

  test('given a bare machine, then the list says how to get each', () => {
    const bare = { ...search, env: {}, boot: join(system, 'none'), arch: 'arm64' }
    const list = vmRequirements(bare)
    expect(list.map(({ found }) => found)).toEqual(Array(5).fill(undefined))
    const advice = list.map((requirement) => requirement.advice).join('\n')
    for (const how of ['qemu-system-x86,', 'Debian sid', 'cargo install vhost-device-vsock'])
      expect(advice).toContain(how)
    for (const name of ['ROLLBED_VM_QEMU', 'ROLLBED_VM_VSOCK', 'ROLLBED_VM_KERNEL'])
      expect(advice).toContain(name)
    expect(() => requireVmTools(bare)).toThrow(
      /missing Linux on x86-64, qemu-system-x86_64, vhost-device-vsock, kernel with vsock, setpriv/,
    )
  })

  test('given a program that cannot be run, then it does not count', () => {
    program('setpriv', 0o644)
    // Who is root may run what has any execute bit.
    expect(missing({})).toEqual(['setpriv'])
  })
})

describe('of several kernels', () => {
  const chosen = () => requireVmTools(search).kernel.release

  test('given several, then the newest one for the cloud is taken', () => {
    unpackKernel(system, '6.1.0-10-cloud-amd64')
    unpackKernel(system, '6.9.0-amd64')
    expect(chosen()).toBe('6.1.0-10-cloud-amd64')
  })

  test('given one without vsock, then it is passed over', () => {
    unpackKernel(system, '6.9.0-cloud-amd64', { modules: [] })
    expect(chosen()).toBe('6.1.0-9-cloud-amd64')
  })
})
