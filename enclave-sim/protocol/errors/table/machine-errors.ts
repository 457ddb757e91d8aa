import { errorRows } from './error-row.ts'

/** The command line and this machine: numbers from 100 on. */
export const MACHINE_ERRORS = errorRows({
  USAGE: {
    number: 101,
    title: 'The command line is wrong',
    action: '`--help` of the command says what it takes.',
  },
  MACHINE_LIMIT: { number: 102, title: 'The machine allows too little' },
  PART_LOST: { number: 103, title: 'A part of the devnet died' },
  PORT_BUSY: { number: 104, title: 'A port is taken' },
  LISTEN_FAILED: { number: 105, title: 'An address cannot be listened on' },
  NODE_TOO_OLD: { number: 106, title: 'This Node is too old' },
  ANVIL_MISSING: { number: 107, title: 'anvil is not installed' },
  ANVIL_NOT_GENUINE: { number: 108, title: 'This anvil is another than rollbed was made with' },
  ANVIL_FAILED: {
    number: 109,
    title: 'anvil did not start',
    action: 'Its own words follow; `rollbed doctor` says whether this machine can run it.',
  },
  MCP_SDK_MISSING: { number: 110, title: 'The package of the Model Context Protocol is missing' },
  POSTGRES_DRIVER_MISSING: { number: 111, title: 'The driver of PostgreSQL is missing' },
  COMPILATION_FAILED: {
    number: 112,
    title: 'Our Solidity does not compile',
    action: 'Mend the source that the message names.',
  },
})
