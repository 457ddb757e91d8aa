import type { Devnet } from '#devnet/start-devnet'

const LABEL_WIDTH = 17
const KINDS = { sim: 'simulated', vm: 'virtual machine', local: 'local mode' }

/** What `rollbed up` shows a person when the devnet is ready. Plain text: it is read once. */
export function banner(devnet: Devnet): string {
  const { description: d, readyAfter } = devnet
  const row = (label: string, value: string) => `  ${label.padEnd(LABEL_WIDTH)}${value}`
  return [
    '',
    `  rollbed is ready after ${readyAfter} ms`,
    '',
    row('L2 RPC', `${d.baseRpcUrl}  (chain ${d.chainId}; dapps, wallets, cast)`),
    row('L2 WebSocket', `${d.wsUrl}/base`),
    row('  by the letter', `${d.rpcUrl}  (profile ${d.profile}; judges)`),
    row('  plain', `${d.rpcUrl}/plain  (no pre-confirmations)`),
    ...(d.testnetRpcUrl ? [row('L2 RPC, testnet', `${d.testnetRpcUrl}  (another network)`)] : []),
    ...(d.plainRpcUrl ? [row('L2 RPC, plain', `${d.plainRpcUrl}  (no pre-confirmations)`)] : []),
    row('Builder codes', d.apiUrl),
    row('Prover', d.proverUrl || 'off'),
    row('Rollup RPC', d.rollupRpcUrl),
    row('Explorer', d.dashboardUrl),
    row('L1 RPC', `${d.l1RpcUrl}  (chain ${d.l1ChainId}, anvil)`),
    row('L1 beacon', d.l1BeaconUrl),
    '',
    '  Accounts, 10,000 ETH each on L1 and L2. TEST KEYS, known to everyone: never use them elsewhere.',
    ...d.accounts.map(({ address, privateKey }) => `  ${address}  ${privateKey}`),
    '',
    ...d.enclaves.map(
      (enclave) =>
        `  Enclave ${enclave.cid} (${KINDS[enclave.kind]})  signer ${enclave.signer}  image ${enclave.imageHash}`,
    ),
    '',
    `  Try:  curl -s ${d.baseRpcUrl} -H 'content-type: application/json' \\`,
    `          -d '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["pending",false]}'`,
    '  Stop: Ctrl-C',
    '',
  ].join('\n')
}
