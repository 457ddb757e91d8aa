import type { Address } from 'viem'
import { RollbedError } from '#protocol/errors/rollbed-error'

export interface BuilderCodeRegistration {
  /** `bc_` and eight letters or digits. */
  builderCode: string
  /** With its EIP-55 checksum. */
  walletAddress: Address
  /** false: the wallet had this code before. */
  created: boolean
}

export interface BuilderCodeClient {
  /**
   * Gives the wallet its code, always the same one (BC-10).
   * @throws RollbedError BUILDER_CODE_REFUSED (what the API answered is in the message), BUILDER_CODES_UNREACHABLE
   */
  register(walletAddress: Address): Promise<BuilderCodeRegistration>
}

/**
 * A client of a builder-code API: the devnet's (`description.apiUrl`), or any other of the same form.
 *
 * @param url without the path
 * @throws RollbedError, by its methods: BUILDER_CODES_UNREACHABLE, BUILDER_CODE_REFUSED
 * @example
 * import { builderCodeClient } from 'rollbed/viem'
 *
 * const { apiUrl, accounts } = devnet.description
 * const { builderCode } = await builderCodeClient(apiUrl).register(accounts[0].address)
 */
export function builderCodeClient(url: string): BuilderCodeClient {
  const endpoint = new URL('/v1/agents/builder-codes', url).href
  return {
    async register(walletAddress) {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress }),
      }).catch((cause: unknown) => {
        throw new RollbedError('BUILDER_CODES_UNREACHABLE', `Nobody answers at ${endpoint}.`, {
          cause,
          hint: 'The URL of the API is apiUrl in the description of the devnet.',
        })
      })
      const body = (await response.json().catch(() => ({}))) as Partial<Answer>
      if (response.ok && body.builderCode && body.walletAddress) {
        const { builderCode, walletAddress } = body
        return { builderCode, walletAddress, created: response.status === 201 }
      }
      const said = body.error?.message ?? `It answered with status ${response.status}.`
      throw new RollbedError('BUILDER_CODE_REFUSED', `${endpoint} gave no code: ${said}`)
    },
  }
}

interface Answer {
  builderCode: string
  walletAddress: Address
  error: { message: string }
}
