/** What the page's half of the wallet asks, under this name of its window. */
export const WALLET_BINDING = '__rollbedWallet'
/** By which the test tells the page's half of an event. */
export const WALLET_EVENT = '__rollbedWalletEvent'

/**
 * The page's half: a provider of EIP-1193 at `window.ethereum`, announced as EIP-6963 has it. It holds nothing;
 * each request is answered by the test.
 */
export const WALLET_SCRIPT = `(() => {
  if (window.${WALLET_EVENT}) return
  const heard = new Map()
  const of = (event) => heard.get(event) ?? []
  const provider = {
    async request({ method, params }) {
      const { result, error } = await window.${WALLET_BINDING}({ method, params })
      if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
      return result
    },
    on(event, listener) {
      heard.set(event, [...of(event), listener])
      return provider
    },
    removeListener(event, listener) {
      heard.set(event, of(event).filter((each) => each !== listener))
      return provider
    },
  }
  window.${WALLET_EVENT} = (event, value) => { for (const each of of(event)) each(value) }
  window.ethereum ??= provider
  const info = {
    uuid: '5d0b6c0a-2f53-4d7e-8a53-77d2c3a1c9e4',
    name: 'rollbed',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    rdns: 'example.rollbed.wallet',
  }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
})()`
