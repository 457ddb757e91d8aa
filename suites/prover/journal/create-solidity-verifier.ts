import { createEVM, type EVM } from '@ethereumjs/evm'
import { Address, createAddressFromString, hexToBytes, setLengthLeft } from '@ethereumjs/util'
import {
  bytesToHex,
  concatHex,
  decodeErrorResult,
  decodeFunctionData,
  encodeDeployData,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  numberToHex,
  toHex,
} from 'viem'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import type { Journal } from '#protocol/journal/journal'

/** What AggregateVerifier asks its TEE verifier. */
export interface Asked {
  proposer: Hex
  imageHash: Hex
  /** keccak256 of the journal that the contract packed. */
  digest: Hex
}

/** Fields of a game, and the call that proves them. */
export interface GameCall {
  journal: Journal
  intermediateInterval: bigint
}

const ANCHORS: Hex = `0x${'a1'.repeat(20)}`
const VERIFIER: Hex = `0x${'a2'.repeat(20)}`
const REGISTRY: Hex = `0x${'a3'.repeat(20)}`
const GAME: Hex = `0x${'a4'.repeat(20)}`
/** Answers every call with one zero word. */
const ZERO_STUB: Hex = '0x60205ff3'
/** Reverts with the calldata it got, so that the caller reverts with it too. */
const ECHO_STUB: Hex = '0x365f5f37365ffd'
/** isValidProposer(address) is true, every other answer is zero. */
const REGISTRY_STUB: Hex = '0x5f3560e01c63e8533e29145f5260205ff3'
const GAS = 30_000_000n
const WORD: Hex = `0x${'00'.repeat(32)}`
/** Slot 7: `expectedResolution`, far away, so that the game is not over. */
const EXPECTED_RESOLUTION = 7n
const OPEN_UNTIL = (1n << 64n) - 1n
const STARTING_ROOT = 1n
const STARTING_BLOCK = 2n
/** Of `proofTypeToProver[TEE]`: nullify wants to see a proof, verifyProposalProof none. */
const TEE_PROVER = BigInt(keccak256(concatHex([WORD, numberToHex(6n, { size: 32 })])))

/**
 * The devnet's compiled L1 contracts in an EVM that is not ours, with stubs around them, to see
 * which bytes Solidity packs and whom it recovers.
 */
export async function createSolidityVerifier() {
  const evm = await createEVM()
  await put(evm, ANCHORS, ZERO_STUB)
  await put(evm, VERIFIER, ECHO_STUB)
  await put(evm, REGISTRY, REGISTRY_STUB)
  const teeVerifier = await deploy(
    evm,
    encodeDeployData({
      abi: teeVerifierAbi,
      bytecode: loadContract('TEEVerifier').bytecode,
      args: [REGISTRY, ANCHORS],
    }),
  )

  /** Whom TEEVerifier recovers; undefined when it says InvalidSignature. */
  async function recover(digest: Hex, signature: Hex): Promise<Hex | undefined> {
    const data = encodeFunctionData({
      abi: teeVerifierAbi,
      functionName: 'verify',
      args: [concatHex([GAME, signature]), WORD, digest],
    })
    const error = decodeErrorResult({
      abi: teeVerifierAbi,
      data: await revertOf(evm, teeVerifier, GAME, data),
    })
    if (error.errorName === 'InvalidSigner') return error.args[0].toLowerCase() as Hex
    if (error.errorName === 'InvalidSignature') return undefined
    throw new Error(`TEEVerifier said ${error.errorName}`)
  }

  /** What a game with this journal asks when its whole range is proven. */
  async function askWhole(game: GameCall): Promise<Asked> {
    await putGame(evm, game, false)
    return ask(evm, game.journal.proposer, {
      functionName: 'verifyProposalProof',
      args: [concatHex(['0x00', WORD])],
    })
  }

  /** What it asks when `root` is claimed for the interval with that index. */
  async function askInterval(game: GameCall, index: bigint, root: Hex): Promise<Asked> {
    await putGame(evm, game, true)
    return ask(evm, game.journal.proposer, {
      functionName: 'nullify',
      args: [concatHex(['0x00', WORD]), index, root],
    })
  }

  return { recover, askWhole, askInterval }
}

type ProofCall =
  | { functionName: 'verifyProposalProof'; args: [Hex] }
  | { functionName: 'nullify'; args: [Hex, bigint, Hex] }

async function ask(evm: EVM, caller: Hex, call: ProofCall): Promise<Asked> {
  const data = encodeFunctionData({ abi: aggregateVerifierAbi, ...call } as never)
  const echoed = await revertOf(evm, GAME, caller, data)
  const { args } = decodeFunctionData({ abi: teeVerifierAbi, data: echoed })
  const [proof, imageHash, digest] = args as [Hex, Hex, Hex]
  return { proposer: `0x${proof.slice(2, 42)}`, imageHash, digest }
}

/** A clone with its arguments behind its code, as the factory makes it. */
async function putGame(
  evm: EVM,
  { journal, intermediateInterval }: GameCall,
  isProven: boolean,
): Promise<void> {
  const { intermediateRoots: roots } = journal
  const implementation = await deploy(
    evm,
    encodeDeployData({
      abi: aggregateVerifierAbi,
      bytecode: loadContract('AggregateVerifier').bytecode,
      args: [
        1,
        ANCHORS,
        ANCHORS,
        VERIFIER,
        VERIFIER,
        journal.teeImageHash,
        { rangeHash: WORD, aggregateHash: WORD },
        journal.configHash,
        8453n,
        intermediateInterval * BigInt(roots.length),
        intermediateInterval,
      ],
    }),
  )
  const proxy = concatHex([
    '0x36602d57345f527f',
    keccak256(toHex('ReceiveETH(uint256)')),
    '0x60205fa1005b365f5f375f5f365f73',
    implementation,
    '0x5af43d5f5f3e6057573d5ffd5b3d5ff3',
  ])
  const args = encodePacked(
    ['address', 'bytes32', 'bytes32', 'uint256', 'address', 'bytes32[]'],
    [
      journal.proposer,
      journal.outputRoot,
      journal.l1OriginHash,
      journal.endingL2Block,
      ANCHORS,
      roots,
    ],
  )
  await put(evm, GAME, concatHex([proxy, args]))
  await store(evm, EXPECTED_RESOLUTION, OPEN_UNTIL)
  await store(evm, STARTING_ROOT, BigInt(journal.prevOutputRoot))
  await store(evm, STARTING_BLOCK, journal.startingL2Block)
  await store(evm, TEE_PROVER, isProven ? 1n : 0n)
}

async function deploy(evm: EVM, data: Hex): Promise<Hex> {
  const { createdAddress, execResult } = await evm.runCall({
    data: hexToBytes(data),
    gasLimit: GAS,
  })
  if (execResult.exceptionError || !createdAddress) throw new Error('deployment failed')
  return createdAddress.toString()
}

async function revertOf(evm: EVM, to: Hex, caller: Hex, data: Hex): Promise<Hex> {
  const { execResult } = await evm.runCall({
    to: createAddressFromString(to),
    caller: new Address(hexToBytes(caller)),
    data: hexToBytes(data),
    gasLimit: GAS,
  })
  if (!execResult.exceptionError) throw new Error('the call did not revert')
  return bytesToHex(execResult.returnValue)
}

const put = (evm: EVM, address: Hex, code: Hex) =>
  evm.stateManager.putCode(createAddressFromString(address), hexToBytes(code))

const store = (evm: EVM, slot: bigint, value: bigint) =>
  evm.stateManager.putStorage(
    createAddressFromString(GAME),
    setLengthLeft(hexToBytes(numberToHex(slot)), 32),
    setLengthLeft(hexToBytes(numberToHex(value, { size: 32 })), 32),
  )
