import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Hex, keccak256 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ProverHost } from '#devnet/actors/registrar/discover-signers'
import { attest } from '#enclave/security-module/sim/attest'
import {
  createCertificateChain,
  createSimRoot,
} from '#enclave/security-module/sim/certificate-chain'
import type { Clock } from '#protocol/clock/clock'
import { type Rng, seededRng } from '#protocol/random/rng'

export const pcr0 = new Uint8Array(48).fill(0xaa)

/** What an attestation says, to be changed. */
type Content = Parameters<typeof attest>[0]

export interface AttestingHost extends ProverHost {
  /** Lower case, in the host's order. */
  readonly signers: Hex[]
  /** Nonces of every enclave_signerAttestation. */
  readonly asked: Hex[][]
  down: boolean
  tamper: (content: Content, index: number) => Content
}

/**
 * Hosts of enclaves under one simulated hypervisor.
 * @param seed of its keys: another hypervisor has another
 */
export function attestingHosts(clock: Clock, seed = 'registrar') {
  const rng: Rng = seededRng(seed)
  const root = createSimRoot({ clock, rng })
  const moduleId = 'i-0123456789abcdef0-enc0123456789abcdef'
  const chain = createCertificateChain({ root, moduleId, clock, rng })

  function host(name: string, enclaves: readonly string[]): AttestingHost {
    const keys = enclaves.map((enclave) => keccak256(`0x${Buffer.from(enclave).toString('hex')}`))
    const publicKeys = keys.map((key) => secp256k1.getPublicKey(hexToBytes(key), false))
    const it: AttestingHost = {
      name,
      signers: keys.map((key) => privateKeyToAddress(key).toLowerCase() as Hex),
      asked: [],
      down: false,
      tamper: (content) => content,
      rpc: {
        async request(method, params) {
          if (it.down) throw new Error('connection refused')
          if (method === 'enclave_signerPublicKey') return publicKeys.map((key) => [...key])
          const [userData, nonces] = params as [null, number[][]]
          it.asked.push(nonces.map((nonce) => bytesToHex(Uint8Array.from(nonce))))
          return publicKeys.map((publicKey, index) => [
            ...document(publicKey, Uint8Array.from(nonces[index]!), userData, index),
          ])
        },
      },
    }

    function document(publicKey: Uint8Array, nonce: Uint8Array, userData: null, index: number) {
      const { leaf, bundle } = chain.current()
      const pcrs = Array.from({ length: 16 }, (_, pcr) => (pcr === 0 ? pcr0 : new Uint8Array(48)))
      const content: Content = {
        ...{ publicKey, nonce, userData, moduleId, pcrs, bundle },
        timestamp: clock.now(),
        certificate: leaf.certificate,
      }
      return attest(it.tamper(content, index), leaf.privateKey)
    }
    return it
  }

  return { host, root: root.certificate }
}
