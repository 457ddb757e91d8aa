import { concatHex, encodePacked, type Hex, numberToHex, parseEventLogs } from 'viem'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { gameType, initBond, l1ChainId } from '#fixtures/chain/constants'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import {
  blockInterval,
  genesisRoot,
  imageHash,
  intermediateInterval,
  type ProofStack,
} from './proof-stack.ts'
import { enclave, signJournal, type Transition, teeInitData } from './tee-journal.ts'

/** A proposal and what goes with it; every field may be changed. */
export interface Proposal {
  creator: DevKey
  parent: Hex
  startRoot: Hex
  startBlock: bigint
  l2Block: bigint
  roots: Hex[]
  rootClaim: Hex
  bond: bigint
  type: number
  /** What the journal is signed for, when not for this proposal. */
  signed: Partial<Transition>
  initData: (l1Origin: Hex, l1Number: bigint, signature: Hex) => Hex
  extraData: Hex
  /** L1 origin: blocks before the head. */
  originAge: bigint
}

export const root = (index: number): Hex => numberToHex(0xb0_0000 + index, { size: 32 })

/** Plays games on one stack. */
export function gamePlayer({ contracts, client, send, revertOf, l1 }: ProofStack) {
  async function creation(changed: Partial<Proposal> = {}) {
    const startBlock = changed.startBlock ?? 0n
    const roots = changed.roots ?? [root(1), root(2)]
    const proposal: Proposal = {
      creator: roleKeys.proposer,
      parent: contracts.anchorStateRegistry,
      startRoot: genesisRoot,
      startBlock,
      l2Block: startBlock + blockInterval,
      roots,
      rootClaim: roots.at(-1)!,
      bond: initBond,
      type: gameType,
      signed: {},
      initData: teeInitData,
      extraData: '0x',
      originAge: 1n,
      ...changed,
    }
    const head = await client.getBlockNumber()
    const origin = await client.getBlock({ blockNumber: head - proposal.originAge })
    const signature = await signJournal({
      proposer: proposal.creator.address,
      l1Origin: origin.hash,
      startRoot: proposal.startRoot,
      startBlock: proposal.startBlock,
      endRoot: proposal.rootClaim,
      endBlock: proposal.l2Block,
      roots,
      ...proposal.signed,
    })
    const extraData = concatHex([
      encodePacked(
        ['uint256', 'address', 'bytes32[]'],
        [proposal.l2Block, proposal.parent, proposal.roots],
      ),
      proposal.extraData,
    ])
    const initData = proposal.initData(origin.hash, origin.number, signature)
    return {
      from: proposal.creator,
      call: {
        address: contracts.disputeGameFactory,
        abi: disputeGameFactoryAbi,
        functionName: 'createWithInitData',
        args: [proposal.type, proposal.rootClaim, extraData, initData],
        value: proposal.bond,
      } as const,
    }
  }

  /** Creates a game and returns its address. */
  async function create(changed: Partial<Proposal> = {}) {
    const { from, call } = await creation(changed)
    const receipt = await send(from, call)
    const [created] = parseEventLogs({
      abi: disputeGameFactoryAbi,
      eventName: 'DisputeGameCreated',
      logs: receipt.logs,
    })
    if (!created) throw new Error('no game was created')
    return { address: created.args.disputeProxy, receipt }
  }

  /** The error that creating it reverts with. */
  async function refused(changed: Partial<Proposal>) {
    const { from, call } = await creation(changed)
    return revertOf(from, call)
  }

  function game(address: Hex) {
    return { address, abi: aggregateVerifierAbi } as const
  }

  function read<name extends GameView>(address: Hex, functionName: name) {
    return client.readContract({ ...game(address), functionName })
  }

  /** A TEE proof that after the roots before `index` comes `claimed`. */
  async function intervalProof(address: Hex, by: DevKey, index: number, claimed: Hex) {
    const startBlock = BigInt(index) * intermediateInterval
    const signature = await signJournal({
      proposer: by.address,
      l1Origin: await read(address, 'l1Head'),
      startRoot: index === 0 ? genesisRoot : root(index),
      startBlock,
      endRoot: claimed,
      endBlock: startBlock + intermediateInterval,
      roots: [claimed],
    })
    return concatHex(['0x00', signature])
  }

  /** Mines a block that many seconds after the last. */
  async function wait(seconds: number) {
    const { timestamp } = await client.getBlock()
    await l1.mine(Number(timestamp) + seconds)
  }

  return { create, refused, creation, game, read, intervalProof, wait }
}

type GameView =
  | 'status'
  | 'proofCount'
  | 'teeProver'
  | 'zkProver'
  | 'l1Head'
  | 'createdAt'
  | 'expectedResolution'
  | 'parentAddress'
  | 'gameCreator'
  | 'rootClaim'
  | 'extraData'
  | 'l2SequenceNumber'
  | 'startingOutputRoot'
  | 'intermediateOutputRoots'
  | 'bondRecipient'
  | 'counteredByIntermediateRootIndexPlusOne'

/** The stack's enclave may sign from now on. */
export function registerEnclave({ l1 }: ProofStack): Promise<void> {
  const owner = { rpcUrl: l1.rpcUrl, chainId: l1ChainId, mine: () => l1.mine() }
  return registerDevSigners(owner, [{ signer: enclave.address, imageHash }])
}
