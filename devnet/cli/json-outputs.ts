import type { ChallengerOutcome } from '#devnet/actors/challenger/create-challenger'
import type { Audit } from '#devnet/actors/journal-audit/audit'
import type { ProposerOutcome } from '#devnet/actors/proposer/create-proposer'
import type { RegistrarOutcome } from '#devnet/actors/registrar/create-registrar'
import type { SettlerOutcome } from '#devnet/actors/settle-games'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { Attribution } from '#devnet/builder-codes/attribution/erc8021'
import type { ActiveFault } from '#devnet/faults/fault-engine'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { ChainDifference } from '#devnet/l2/follower/compare-chains'
import type { ProofResultJson } from '#devnet/proving/prover/proof-json'
import type { Rehearsal } from '#devnet/rehearsal/rehearsal-report'
import type { ServedWorld } from '#devnet/rollup/world/serve-world'
import type { Situation } from '#devnet/scenarios/scenario'
import type { ByteRange } from '#protocol/journal/layouts'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { RunDiff } from '#reports/diff-runs'
import type { RunResult } from '#reports/model'
import type { Envelope } from '#reports/sign-run'
import type { BrokenRule } from '#reports/site/broken-rules'
import type { Site } from '#reports/site/site-of'
import type { Violation } from '#suites/weather/checkers/checker'
import type { CorpusDescription } from '#suites/weather/corpus/describe-corpus'
import type { FarmResult } from '#suites/weather/farm/play-farm'
import type { Story } from '#suites/weather/stories/story'
import type { SwarmFailure, SwarmResult } from '#suites/weather/swarm/play-swarm'
import type { NoReturn } from '#suites/weather/why/find-no-return'
import type { CommandDescription } from './describe-commands.ts'

interface SuffixSummary {
  suffix: Hex
  /** At the prices of calldata. */
  gas: number
  /** At the floor of EIP-7623. */
  floorGas: number
}

interface WrittenState {
  file: string
  bytes: number
  stateRoot: Hash
}

interface CodeCount {
  code: string
  /** null: the code is not registered. */
  wallet: string | null
  /** Quantities, as JSON-RPC has them. */
  transactions: string
  gas: string
}

export interface CertificateSummary {
  subject: string
  /** ISO 8601; null: unreadable. */
  validFrom: string | null
  validTo: string | null
  sha256: string | null
}

interface AttestationSummary {
  moduleId: string
  /** ISO 8601. */
  time: string | null
  /** keccak256 of PCR0. */
  imageHash: Hash | null
  isDebug: boolean
  signer: Address | null
  publicKey: Hex | null
  userData: Hex | null
  nonce: Hex | null
  certificate: CertificateSummary
  /** By index. */
  pcrs: Readonly<Record<string, Hex>>
  cabundle: CertificateSummary[]
}

/** What of this machine was looked at. */
export interface Finding {
  check: string
  ok: boolean
  /** What was found, or what to do. */
  detail: string
  /** The devnet does not start without it. */
  required: boolean
}

/** What a chain that was derived from L1 came to. */
export interface FollowResult {
  safe: { number: bigint; hash: string }
  finalized: bigint
  /** null: nobody. */
  against: string | null
  /** The newest block that was compared. */
  compared: bigint
  difference: ChainDifference | null
}

/** What each command prints with `--json`, by its words; a bigint is a number there. The schemas are made of this. */
export interface JsonOutputs {
  up: DevnetDescription
  prove: ProofResultJson
  follow: FollowResult
  rehearse: Rehearsal
  conform: RunResult
  'report diff': RunDiff
  'report site': Site
  'report query': readonly BrokenRule[]
  'report sign': Envelope
  'report verify': RunResult
  'report merge': RunResult
  'report rejudge': RunResult
  'journal encode': { journal: Hex; size: number; digest: Hash }
  'journal decode': {
    layout: string
    size: number
    journal: Record<string, unknown>
    map: readonly ByteRange[]
  }
  /** `valid`: nobody, or this signer, was asked for. */
  'journal verify': { signer: Address; valid: boolean }
  'journal audit': Audit
  'attestation inspect': AttestationSummary
  /** `trust`: in whose root. */
  'attestation verify': AttestationSummary & { trust?: string }
  'attribution encode': SuffixSummary
  /** null: the calldata ends with no suffix. */
  'attribution decode':
    | (SuffixSummary & { codes: readonly string[]; attribution: Attribution.Attribution })
    | null
  'attribution stats': { codes: CodeCount[] }
  host: { url: string; metricsUrl: string | undefined }
  /** One for each round that is news, with the members that its kind has. */
  'actors proposer': ProposerOutcome | SettlerOutcome
  'actors challenger': ChallengerOutcome
  'actors registrar': RegistrarOutcome
  faucet: { transactionHash: Hash }
  /** `next`: command lines to type in `folder`. */
  init: { folder: string; files: string[]; next: string[] }
  'scenario list': { name: string; summary: string }[]
  'scenario run': Situation & { scenario: string }
  'state export': WrittenState
  'state import': WrittenState
  'fault list': (Pick<Story, 'name' | 'story' | 'rules' | 'bodies'> & { targets: string[] })[]
  /** `duration` in milliseconds of the world's clock. */
  'fault run': {
    name: string
    seed: number
    violations: readonly Violation[]
    duration: number
  }
  'fault judge': readonly Violation[]
  'fault inject': ActiveFault
  'fault replay': Pick<ServedWorld, 'rpcUrl' | 'l1RpcUrl' | 'rollupRpcUrl'> & {
    time: number
    faults: string[]
  }
  'fault swarm': Omit<SwarmResult, 'failures'> & {
    failures: (Omit<SwarmFailure, 'ndjson'> & { again: string })[]
  }
  'fault farm': Omit<FarmResult, 'failures'> & {
    seed: number
    /** Failures of the corpus that are not mended, and that are. */
    broken: number
    mended: number
    failures: (Omit<FarmResult['failures'][number], 'ndjson'> & { again: string })[]
  }
  'fault corpus': CorpusDescription
  'fault why': NoReturn
  'fault shrink': { plan: FaultPlan; plays: number; violations: readonly Violation[] }
  'fault clear': { cleared: number }
  commands: { schema: 'rollbed.commands/1'; version: string; commands: CommandDescription[] }
  doctor: Finding[]
}

/** A command that prints JSON. */
export type JsonCommand = keyof JsonOutputs
