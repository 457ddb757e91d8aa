#!/bin/node
/**
 * The first process of a guest: loads the modules of AF_VSOCK, tells which network interfaces there
 * are, and becomes the enclave. When the enclave ends so does this process, and with it the machine.
 * It runs as it stands, alone: no types to strip, no import but Node's.
 */
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { release } from 'node:os'

const IMAGE = '/enclave/image'
const MODULES = '/modules'
/** Source: asm/unistd_64.h, linux/module.h. */
const SYS_FINIT_MODULE = 313
const MODULE_INIT_COMPRESSED_FILE = 4

const koffi = createRequire(import.meta.url)(`${IMAGE}/koffi.node`)
const libc = koffi.load(null)
const mount = libc.func('int mount(const char *, const char *, const char *, long, const char *)')
const loadModule = libc.func('syscall', 'long', ['long', 'int', 'const char *', 'int'])

if (mount('proc', '/proc', 'proc', 0, null) < 0) throw new Error(`/proc: errno ${koffi.errno()}`)

for (const name of readdirSync(MODULES).sort()) {
  const flags = name.endsWith('.ko') ? 0 : MODULE_INIT_COMPRESSED_FILE
  if (loadModule(SYS_FINIT_MODULE, openSync(`${MODULES}/${name}`, 'r'), '', flags) < 0)
    throw new Error(`${name}: errno ${koffi.errno()}`)
}

// Two lines of heading, then a line per interface.
const devices = readFileSync('/proc/net/dev', 'utf8').trim().split('\n').slice(2)
const interfaces = devices.map((line) => line.slice(0, line.indexOf(':')).trim())
process.stdout.write(
  `${JSON.stringify({ event: 'machine', kernel: release(), node: process.version, interfaces })}\n`,
)

// The kernel gives its first process HOME and TERM; an enclave has no environment (ENC-START-08).
for (const name of Object.keys(process.env)) delete process.env[name]
await import(`${IMAGE}/enclave.mjs`)
