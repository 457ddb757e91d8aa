import { useState } from 'preact/hooks'
import { type AbiFunction, encodeFunctionData, parseEther } from 'viem'
import { Action } from '../action.tsx'
import type { Hex } from '../json-types.ts'
import { parseArgument } from '../parse-argument.ts'
import { Shown, TransactionLink } from '../parts.tsx'
import { useBook } from '../use-book.ts'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { PastEvents } from './past-events.tsx'
import { SourceFiles } from './source-files.tsx'
import { StorageTable } from './storage-table.tsx'

/** What can be read of a contract that is known by its artifact or its place, and done with it. */
export function ContractPanel({ address }: { address: Hex }) {
  const { node } = useDevnet()
  const book = useBook()
  const codeAt = (of: Hex) => node.call<Hex>('eth_getCode', [of, 'pending'])
  const known = useLoaded(() => book.contractAt(address, codeAt), [address, book])
  return (
    <Shown loaded={known}>
      {(contract) => {
        const functions = contract?.abi.filter((item) => item.type === 'function') ?? []
        if (!contract || functions.length === 0) return null
        return (
          <>
            <h2>Read</h2>
            {!functions.some(isRead) && <p class="dim">It has no functions that only read.</p>}
            {functions.filter(isRead).map((each) => (
              <ReadForm key={keyOf(each)} address={address} of={each} />
            ))}
            <h2>Write</h2>
            <WriteForms address={address} functions={functions.filter((each) => !isRead(each))} />
            <h2>Events</h2>
            <PastEvents address={address} />
            {contract.storage && (
              <>
                <h2>Storage by name</h2>
                <StorageTable address={address} layout={contract.storage} />
              </>
            )}
            <SourceFiles address={address} />
          </>
        )
      }}
    </Shown>
  )
}

const isRead = ({ stateMutability }: AbiFunction) =>
  stateMutability === 'view' || stateMutability === 'pure'

/** Functions of one name differ in what they take. */
const keyOf = ({ name, inputs }: AbiFunction) => `${name}(${inputs.map(({ type }) => type)})`

function calldataOf(of: AbiFunction, fields: FormData): Hex {
  const args = of.inputs.map(({ type }, index) =>
    parseArgument(type, String(fields.get(`argument-${index}`))),
  )
  return encodeFunctionData({ abi: [of], args })
}

function Inputs({ of }: { of: AbiFunction }) {
  return (
    <>
      {of.inputs.map(({ name, type }, index) => (
        <label key={index}>
          {name || `argument ${index}`}: {type}
          <input name={`argument-${index}`} required autocomplete="off" spellcheck={false} />
        </label>
      ))}
    </>
  )
}

function ReadForm({ address, of }: { address: Hex; of: AbiFunction }) {
  const { node } = useDevnet()
  const book = useBook()
  const read = async (fields: FormData) => {
    const data = calldataOf(of, fields)
    const output = await node.call<Hex>('eth_call', [{ to: address, data }, 'pending'])
    const values = book.result(data, output) ?? []
    return (
      <code class="bytes">
        {values.map(({ name, value }) => (name === '0' ? value : `${name}: ${value}`)).join(', ')}
      </code>
    )
  }
  return (
    <Action label={of.name} run={read}>
      <Inputs of={of} />
    </Action>
  )
}

function WriteForms({ address, functions }: { address: Hex; functions: AbiFunction[] }) {
  const { devnet } = useDevnet()
  const [sender, setSender] = useState<string>(devnet.accounts[0]!)
  if (functions.length === 0) return <p class="dim">It has no functions that write.</p>
  return (
    <>
      <p class="action">
        <label>
          As, a dev account or anybody
          <input
            list="dev-accounts"
            size={44}
            value={sender}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setSender(currentTarget.value.trim())}
          />
        </label>
      </p>
      <datalist id="dev-accounts">
        {devnet.accounts.map((account, index) => (
          <option key={account} value={account}>
            account {index}
          </option>
        ))}
      </datalist>
      {!isDevAccount(devnet.accounts, sender) && (
        <p class="notice">
          The devnet has no key of this account and sends in its name: nothing from then on can be
          proven on L1.
        </p>
      )}
      {functions.map((each) => (
        <WriteForm key={keyOf(each)} address={address} of={each} sender={sender as Hex} />
      ))}
    </>
  )
}

const isDevAccount = (accounts: readonly Hex[], sender: string) =>
  accounts.includes(sender.toLowerCase() as Hex)

function WriteForm(props: { address: Hex; of: AbiFunction; sender: Hex }) {
  const { address, of, sender } = props
  const { devnet, node } = useDevnet()
  const send = async (fields: FormData) => {
    const method = isDevAccount(devnet.accounts, sender)
      ? 'eth_sendTransaction'
      : 'eth_sendUnsignedTransaction'
    const value = parseEther(String(fields.get('value') ?? '0'))
    const data = calldataOf(of, fields)
    const hash = await node.call<Hex>(method, [
      { from: sender, to: address, data, value: `0x${value.toString(16)}` },
    ])
    return (
      <>
        Sent: <TransactionLink hash={hash} />
      </>
    )
  }
  return (
    <Action label={of.name} run={send}>
      <Inputs of={of} />
      {of.stateMutability === 'payable' && (
        <label>
          Ether
          <input name="value" defaultValue="0" required autocomplete="off" />
        </label>
      )}
    </Action>
  )
}
