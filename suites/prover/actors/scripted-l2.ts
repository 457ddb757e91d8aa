import { createMerkleProof, createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { concatHex, type Hex, keccak256, numberToHex, toBytes, zeroAddress, zeroHash } from 'viem'
import { type RpcClient, RpcRefused } from '#devnet/base/json-rpc/http-rpc-client'
import { predeploys } from '#fixtures/chain/constants'

interface ScriptedBlock {
  number: bigint
  hash: Hex
  rawHeader: Hex
  outputRoot: Hex
  accountProof: Hex[]
}

export interface ScriptedL2 extends RpcClient {
  /** Output root at a block. */
  root(block: number): Hex
  block(number: number): ScriptedBlock
  /** Newest safe block, finalized block, and what the node pretends otherwise. */
  safe: number
  finalized: number
  /** Answers of the node to change on the way, by method. */
  readonly tamper: Map<string, (answer: unknown, params: readonly unknown[]) => unknown>
}

const emptyRoot: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const emptyCode = keccak256('0x')

/**
 * A rollup node and its L2 node in one, over made-up blocks with real headers, state tries and
 * output roots. The tries are @ethereumjs/mpt's and the roots viem's: the actors under test have
 * their own.
 * @param fork the first block that is another than on the chain without one
 */
export async function scriptedL2(length: number, fork = length): Promise<ScriptedL2> {
  const blocks: ScriptedBlock[] = []
  for (let number = 0; number < length; number += 1) {
    const parent = blocks.at(-1)?.hash ?? zeroHash
    blocks.push(await makeBlock(BigInt(number), parent, number >= fork))
  }
  const found = (method: string, block: ScriptedBlock | undefined) => {
    if (!block) throw new RpcRefused(method, { code: -32000, message: 'not found' })
    return block
  }
  const byHash = (hash: unknown) => blocks.find((block) => block.hash === hash)
  const ref = (number: number) => ({ number, hash: blocks[number]!.hash })
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    optimism_outputAtBlock([number]) {
      const block = found('optimism_outputAtBlock', blocks[Number(number)])
      const blockRef = { number: Number(block.number), hash: block.hash }
      return { outputRoot: block.outputRoot, blockRef }
    },
    optimism_syncStatus: () => ({ safe_l2: ref(l2.safe), finalized_l2: ref(l2.finalized) }),
    eth_getBlockByNumber([tag]) {
      const number = tag === 'safe' ? l2.safe : tag === 'finalized' ? l2.finalized : Number(tag)
      const block = blocks[number]
      return block ? { hash: block.hash, number: numberToHex(block.number) } : null
    },
    debug_getRawHeader: ([hash]) => found('debug_getRawHeader', byHash(hash)).rawHeader,
    eth_getProof([address, , at]) {
      if (address !== predeploys.l2ToL1MessagePasser) throw new Error(`proof of ${address}`)
      const { accountProof } = found('eth_getProof', byHash((at as { blockHash: Hex }).blockHash))
      return { address, accountProof, storageProof: [] }
    },
  }

  const l2: ScriptedL2 = {
    root: (block) => blocks[block]!.outputRoot,
    block: (number) => blocks[number]!,
    safe: length - 1,
    finalized: length - 1,
    tamper: new Map(),
    async request(method, params) {
      const answer = answers[method]!(params)
      return l2.tamper.get(method)?.(answer, params) ?? answer
    },
  }
  return l2
}

async function makeBlock(
  number: bigint,
  parentHash: Hex,
  isForked: boolean,
): Promise<ScriptedBlock> {
  const trie = await createMPT({ useKeyHashing: true })
  const messages = keccak256(numberToHex(number, { size: isForked ? 31 : 32 }))
  const accounts: [Hex, Hex][] = [
    [predeploys.l2ToL1MessagePasser, messages],
    [predeploys.l1Block, emptyRoot],
    [predeploys.weth9, keccak256(messages)],
  ]
  for (const [address, storageRoot] of accounts) {
    const account = [0n, 0n, hexToBytes(storageRoot), hexToBytes(emptyCode)]
    await trie.put(toBytes(address), RLP.encode(account))
  }
  const stateRoot = bytesToHex(trie.root())
  const proof = await createMerkleProof(trie, toBytes(predeploys.l2ToL1MessagePasser))
  const rawHeader = bytesToHex(RLP.encode(header(number, parentHash, stateRoot, messages)))
  const hash = keccak256(rawHeader)
  return {
    number,
    hash,
    rawHeader,
    outputRoot: keccak256(concatHex([zeroHash, stateRoot, messages, hash])),
    accountProof: proof.map((node) => bytesToHex(node)),
  }
}

/** The 21 fields of a Prague header (EIPs 1559, 4895, 4844, 4788, 7685). */
function header(number: bigint, parentHash: Hex, stateRoot: Hex, withdrawalsRoot: Hex) {
  const quantity = (value: bigint) => (value === 0n ? '0x' : numberToHex(value))
  const fields: Hex[] = [
    parentHash,
    keccak256('0xc0'),
    zeroAddress,
    stateRoot,
    emptyRoot,
    emptyRoot,
    `0x${'00'.repeat(256)}`,
    '0x',
    quantity(number),
    quantity(30_000_000n),
    '0x',
    quantity(1_700_000_000n + 2n * number),
    '0x',
    zeroHash,
    `0x${'00'.repeat(8)}`,
    quantity(1n),
    withdrawalsRoot,
    '0x',
    '0x',
    zeroHash,
    keccak256('0x'),
  ]
  return fields.map((field) => hexToBytes(field.length % 2 ? `0x0${field.slice(2)}` : field))
}
