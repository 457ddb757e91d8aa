/** What a command does beside printing. */
export type Effect =
  /** It asks URLs, of a devnet or of others. */
  | 'asks the network'
  /** It writes files where it is told to. */
  | 'writes files'
  /** It starts processes, which end with it. */
  | 'starts processes'
  /** It runs until it is stopped. */
  | 'stays'
  /** It sends transactions to L1, signed with the key it is given. */
  | 'sends to L1'
  /** It changes L2 at the URL it is given: by transactions, or by a cheat. */
  | 'changes L2'
  /** It changes how a devnet behaves, until that is taken back. */
  | 'breaks a devnet'

const ACTOR: readonly Effect[] = ['asks the network', 'sends to L1', 'stays']
const PLAYED: readonly Effect[] = ['starts processes', 'writes files']

/** By the words of the command. None: it only computes and prints. */
export const COMMAND_EFFECTS: Readonly<Record<string, readonly Effect[]>> = {
  up: ['starts processes', 'writes files', 'asks the network', 'stays'],
  init: ['writes files'],
  prove: ['asks the network'],
  follow: ['asks the network', 'stays'],
  rehearse: ['starts processes', 'asks the network', 'writes files'],
  conform: ['asks the network', 'starts processes', 'changes L2', 'writes files'],
  'report diff': [],
  'report query': [],
  'report site': ['writes files'],
  'report sign': ['writes files'],
  'report verify': ['writes files'],
  'report merge': ['writes files'],
  'report rejudge': ['writes files'],
  'journal encode': [],
  'journal decode': [],
  'journal verify': [],
  'journal audit': ['asks the network', 'writes files'],
  'attestation inspect': [],
  'attestation verify': [],
  'attribution encode': [],
  'attribution decode': [],
  'attribution stats': ['asks the network'],
  host: ['asks the network', 'stays'],
  'actors proposer': ACTOR,
  'actors challenger': ACTOR,
  'actors registrar': ACTOR,
  faucet: ['asks the network', 'changes L2'],
  'scenario list': [],
  'scenario run': ['asks the network', 'sends to L1'],
  'state export': ['asks the network', 'writes files'],
  'state import': ['asks the network', 'changes L2'],
  'fault list': [],
  'fault run': PLAYED,
  'fault judge': [],
  'fault inject': ['asks the network', 'breaks a devnet'],
  'fault replay': ['stays'],
  'fault swarm': PLAYED,
  'fault shrink': PLAYED,
  'fault farm': PLAYED,
  'fault why': ['starts processes'],
  'fault corpus': ['writes files'],
  'fault clear': ['asks the network', 'breaks a devnet'],
  mcp: ['starts processes', 'stays'],
  commands: [],
  doctor: [],
}
