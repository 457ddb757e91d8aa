import { pad, toEventSelector } from 'viem'

/** Logs of L1's registry of signers and of the enclaves whose keys it has. */

const [KEY, NEXT] = ([0x51, 0x52] as const).map((name) =>
  pad(`0x${name.toString(16)}`, { size: 20 }),
)
const REGISTERED = toEventSelector('SignerRegistered(address)')
const STRUCK_OFF = toEventSelector('SignerDeregistered(address)')

const known =
  '0 r chain.known {"accounts":[],"balance":"0x0","genesisTime":100,"genesisL1":0,"blockTime":2}'
const booted = (t: number, signer = KEY) => `${t} enclave.16 booted ${JSON.stringify({ signer })}`
const l1 = (t: number, event: string, signer = KEY) =>
  `${t} r l1.block ${JSON.stringify({
    ...{ hash: `h${t}`, number: t / 1_000, parent: `h${t - 2_000}`, time: 100 + t / 1_000 },
    registry: [[event, pad(signer!)]],
  })}`
const well = (t: number) => `${t} o health.seen {"isWell":true}`
const foreign = (t: number) => `${t} enclave:16 fault.on {"id":1,"fault":"foreign_root"}`
const begun = [known, booted(0), l1(2_000, REGISTERED), well(2_000)]

export const SIGNER_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'signers-are-right': {
    good: [
      begun,
      // Its key went with it.
      [...begun, '3000 enclave.16 ended {}', booted(3_100, NEXT), l1(4_000, STRUCK_OFF)],
      // The registry's owner did it.
      [...begun, `3000 owner strike.sent {"signer":"${KEY}"}`, l1(4_000, STRUCK_OFF)],
      // Who lies has a key of his own.
      [...begun, '3000 liar game.forged {}', l1(4_000, REGISTERED, NEXT)],
      // L1 had it, and took it back before anybody read it.
      [known, booted(0), '900 l1 reorg {"removed":[]}', well(1_000), l1(2_000, REGISTERED)],
    ],
    bad: [
      [...begun, l1(4_000, STRUCK_OFF)],
      [...begun, l1(4_000, REGISTERED, NEXT)],
      [...begun, foreign(3_000), booted(3_100, NEXT), l1(4_000, REGISTERED, NEXT)],
      [known, booted(0), well(1_000), l1(2_000, REGISTERED)],
    ],
  },
}
