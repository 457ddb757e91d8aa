import { parseAbi } from 'viem'

/** What the gate reads of the contracts on L1, and what callers send to them. */
export const gameAbi = parseAbi([
  'function createWithInitData(uint32 gameType, bytes32 rootClaim, bytes extraData, bytes initData) payable returns (address)',
  'function create(uint32 gameType, bytes32 rootClaim, bytes extraData) payable returns (address)',
  'function setImplementation(uint32 gameType, address implementation)',
  'function nullify(bytes proofBytes, uint256 index, bytes32 root)',
  'function registerSigner(bytes output, bytes proofBytes)',
  'function setDevImage(bytes32 imageHash, bool isActive)',
  'function resolve() returns (uint8)',
  'function setAnchorState(address game)',
  'function setInitBond(uint32 gameType, uint256 bond)',
  'function owner() view returns (address)',
  'function anchorGame() view returns (address)',
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256 index) view returns (uint32 gameType, uint64 timestamp, address game)',
  'function gameImpls(uint32 gameType) view returns (address)',
  'function initBonds(uint32 gameType) view returns (uint256)',
  'function getAnchorRoot() view returns (bytes32, uint256)',
  'function BLOCK_INTERVAL() view returns (uint256)',
  'function INTERMEDIATE_BLOCK_INTERVAL() view returns (uint256)',
  'function intervalsForStartingBlock(uint256 block) view returns (uint256, uint256)',
  'function TEE_IMAGE_HASH() view returns (bytes32)',
  'function startingOutputRoot() view returns (bytes32 root, uint256 block)',
  'function l1Head() view returns (bytes32)',
  'function teeProver() view returns (address)',
  'function getRegisteredSigners() view returns (address[])',
])
