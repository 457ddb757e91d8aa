import { describe, expect, it } from 'vitest'
import { signerHealth } from './signer-health.ts'
import { enclaveAccounts, keyedEnclave } from './testing/keyed-enclave.ts'

/** Answers with the next of `answers`; the last one stays. */
function registry(...answers: (boolean | Error)[]) {
  const state = { calls: 0 }
  const isValidSigner = async () => {
    const answer = answers[Math.min(state.calls++, answers.length - 1)]!
    if (answer instanceof Error) throw answer
    return answer
  }
  return { state, contract: { isValidSigner } }
}

const failure = new Error('request timed out')
const notValid = {
  rpcCode: -32000,
  message: 'signer is not a valid signer in TEEProverRegistry',
}

describe('signerHealth', () => {
  it('given no registry and an enclave that is down, when checked, then healthy (HOST-HEALTH-05)', async () => {
    await signerHealth({ enclaves: [keyedEnclave(0, true)], registry: undefined })()
  })

  it('given no valid signer, when checked again and again, then unhealthy (HOST-HEALTH-01)', async () => {
    const check = signerHealth({ enclaves: [keyedEnclave(0)], registry: registry(false).contract })
    await expect(check()).rejects.toMatchObject(notValid)
    await expect(check()).rejects.toMatchObject(notValid)
  })

  it('given only the second one valid, when checked, then healthy (HOST-HEALTH-02)', async () => {
    const { contract } = registry(false, true)
    await signerHealth({ enclaves: [keyedEnclave(0), keyedEnclave(1)], registry: contract })()
  })

  it('given health once seen, when signer and registry go, then healthy without a call (HOST-HEALTH-03, 04)', async () => {
    const { contract, state } = registry(true, false, failure)
    const check = signerHealth({ enclaves: [keyedEnclave(0)], registry: contract })
    await check()
    await check()
    await check()
    expect(state.calls).toBe(1)
  })

  it('given a registry that fails, when checked, then unhealthy with the reason (HOST-HEALTH-08)', async () => {
    const check = signerHealth({
      enclaves: [keyedEnclave(0)],
      registry: registry(failure).contract,
    })
    await expect(check()).rejects.toMatchObject({
      rpcCode: -32000,
      message: `L1 RPC failed for signer ${enclaveAccounts[0]!.address}: request timed out`,
    })
  })

  it('given a failure and then a valid signer, when checked, then healthy', async () => {
    const { contract } = registry(failure, true)
    await signerHealth({ enclaves: [keyedEnclave(0), keyedEnclave(1)], registry: contract })()
  })

  it('given all enclaves down, when checked, then unhealthy and no registry call', async () => {
    const { contract, state } = registry(true)
    const check = signerHealth({ enclaves: [keyedEnclave(0, true)], registry: contract })
    await expect(check()).rejects.toMatchObject(notValid)
    expect(state.calls).toBe(0)
  })
})
