import { createPublicClient, http, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../wire/hex.ts'
import type { Driver, DriverOptions } from './driver.ts' // in a project of yours: 'rollbed/conform'

/** Milliseconds that anything may take: a chain may stand still. */
const PATIENCE = 60_000

/**
 * A driver to start from: for a chain without cheats, with keys that it is given. It only sends and
 * waits; what it leaves out (reorg, provableRange) makes the cases that need it not applicable.
 *
 * DRIVER_KEYS=0x…,0x… rollbed conform --rpc URL --driver own-driver.ts
 */
export default async function ownDriver(options: DriverOptions): Promise<Driver> {
  const { targets, file, headers = {} } = options
  const keys = (process.env.DRIVER_KEYS ?? '').split(',').filter(Boolean) as Hex[]
  if (keys.length < 4) throw new Error('DRIVER_KEYS must hold at least four private keys.')
  const transport = http(targets.rpc, { fetchOptions: { headers: { ...headers } } })
  const client = createPublicClient({ transport })
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const senders = await Promise.all(accounts.map((account) => createSender(client, account)))
  const height = () => client.getBlockNumber({ cacheTime: 0 })
  return {
    name: file ?? 'own-driver.ts',
    // Cases ask for up to ten: the same one may stand in for several.
    accounts: Array.from({ length: 10 }, (_, index) => addressOf(accounts, index)),
    send: (transaction) => senders[transaction.account % senders.length]!(transaction),
    async sealed(hash) {
      const receipt = await until(options, async () => {
        // A node with pre-confirmations has a receipt before the block is sealed.
        const sealed = await height()
        const found = await client.getTransactionReceipt({ hash }).catch(noneYet)
        return found && found.blockNumber <= sealed ? found : undefined
      })
      return {
        hash,
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash,
        index: receipt.transactionIndex,
        gasUsed: receipt.gasUsed,
        succeeded: receipt.status === 'success',
        contract: (receipt.contractAddress?.toLowerCase() as Hex | undefined) ?? null,
      }
    },
    async blockStart() {
      const before = await height()
      await until(options, async () => (await height()) > before || undefined)
    },
  }
}

/** Looks until there is something. @throws what the node answers, when it takes too long, or the run ends */
async function until<T>(
  { clock, signal, rps }: DriverOptions,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const end = clock.now() + PATIENCE
  // A look asks twice at most: half the pace is left to others.
  const pause = rps ? Math.max(50, 4_000 / rps) : 50
  for (;;) {
    signal.throwIfAborted()
    const found = await look()
    if (found !== undefined) return found
    if (clock.now() >= end) throw new Error(`Nothing came within ${PATIENCE} ms.`)
    await new Promise<void>((resolve) => clock.after(pause, resolve))
  }
}

function noneYet(error: unknown): undefined {
  if (!(error instanceof TransactionReceiptNotFoundError)) throw error
}

function addressOf(accounts: readonly PrivateKeyAccount[], index: number): Hex {
  return accounts[index % accounts.length]!.address.toLowerCase() as Hex
}

/** Sends one after the other, with nonces of its own: a node may be slow to tell the next one. */
async function createSender(client: PublicClient, account: PrivateKeyAccount) {
  const chainId = await client.getChainId()
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  let last: Promise<unknown> = Promise.resolve()
  return ({ to, data, value = 0n, gas = 500_000n, nonceGap = 0 }: SendArguments): Promise<Hex> => {
    const sent = last.then(async () => {
      const serializedTransaction = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: nonce + nonceGap,
        to: to ?? null,
        value,
        gas,
        ...(data && { data }),
        ...(await client.estimateFeesPerGas()),
      })
      const hash = await client.sendRawTransaction({ serializedTransaction })
      if (nonceGap === 0) nonce += 1
      return hash
    })
    last = sent.catch(() => undefined)
    return sent
  }
}

type SendArguments = Parameters<Driver['send']>[0]
