import { type JsonObject, type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { listIn } from '../parts/list-in.ts'

const [call, simulate] = [mutantsOf('call', 'rpc'), mutantsOf('simulate', 'rpc')]

/** Takes EIP-3607, which is of transactions, for a rule of questions, too. */
const refusingContracts =
  (method: string, sendersOf: (asked: JsonObject) => readonly unknown[]): Mutant['apply'] =>
  ({ ask }) => ({
    async response(response, { method: asked, params: [first, at] }) {
      if (asked !== method || !('result' in response)) return response
      for (const from of sendersOf(Object(first))) {
        const code = from === undefined ? '0x' : await ask('eth_getCode', [from, at])
        if ((code ?? '0x') === '0x') continue
        const error = { code: -32000, message: `sender not an eoa: address ${from}` }
        return { jsonrpc: '2.0', id: response.id, error }
      }
      return response
    },
  })

/** Mutants that let no contract ask. */
export const CONTRACT_SENDER_MUTANTS: readonly Mutant[] = [
  seenIn(
    ['ethereum/go-ethereum#23408', 'besu-eth/besu#2890', 'paradigmxyz/reth#1959'],
    call(
      'RPC-CALL-05',
      'contract-refused',
      'Refuses a call whose sender is a contract',
      refusingContracts('eth_call', ({ from }) => [from]),
    ),
  ),
  simulate(
    'RPC-SIM-09',
    'contract-refused',
    'Refuses a simulation in which a sender is a contract, without validation, too',
    refusingContracts('eth_simulateV1', ({ blockStateCalls, validation }) =>
      validation === true
        ? []
        : listIn(blockStateCalls).flatMap((entry) =>
            listIn(Object(entry).calls).map(({ from }) => from),
          ),
    ),
  ),
]
