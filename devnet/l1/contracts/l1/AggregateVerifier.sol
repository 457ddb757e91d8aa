// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {CloneWithArgs} from "./CloneWithArgs.sol";
import {DelayedWETH} from "./DelayedWETH.sol";
import {DisputeGameFactory} from "./DisputeGameFactory.sol";
import {GameStatus, IDisputeGame, Proposal} from "./IDisputeGame.sol";
import {L1Origin} from "./L1Origin.sol";
import {Verifier} from "./Verifier.sol";

/// One proposal of an L2 output root, backed by a TEE proof, a ZK proof, or both. Created as a clone
/// by the factory; the clone's arguments are creator(20) | root claim(32) | L1 head(32) | L2 block
/// number(32) | parent game(20) | intermediate roots(32 each, the last equals the claim).
///
/// ScheduledVerifier is made of it. What is `virtual` or `internal` for its sake changes no byte of this code.
contract AggregateVerifier is IDisputeGame {
    enum ProofType {
        TEE,
        ZK
    }

    struct ZkHashes {
        bytes32 rangeHash;
        bytes32 aggregateHash;
    }

    /// What a proof is about: after `startBlock` with `startRoot` comes `endBlock` with `endRoot`.
    struct Transition {
        address proposer;
        bytes32 l1Origin;
        bytes32 startRoot;
        uint64 startBlock;
        bytes32 endRoot;
        uint64 endBlock;
        bytes intermediateRoots;
    }

    uint64 public constant SLOW_FINALIZATION_DELAY = 5 days;
    uint64 public constant FAST_FINALIZATION_DELAY = 1 days;
    uint256 public constant PROOF_THRESHOLD = 1;
    /// How far back an L1 origin is found, and where beyond the first of both.
    uint256 public constant BLOCKHASH_WINDOW = L1Origin.BLOCKHASH_WINDOW;
    uint256 public constant EIP2935_WINDOW = L1Origin.HISTORY_WINDOW;
    address public constant EIP2935_CONTRACT = L1Origin.HISTORY_STORAGE;
    /// After it, a bond without any proof left may be reclaimed.
    uint64 private constant BOND_ESCAPE_DELAY = 14 days;
    uint64 internal constant NEVER = type(uint64).max;

    uint256 private constant ROOT_CLAIM = 20;
    uint256 private constant L1_HEAD = 52;
    uint256 private constant EXTRA_DATA = 84;
    uint256 private constant PARENT = 116;
    uint256 internal constant ROOTS = 136;

    DisputeGameFactory public immutable DISPUTE_GAME_FACTORY;
    DelayedWETH public immutable DELAYED_WETH;
    Verifier public immutable TEE_VERIFIER;
    Verifier public immutable ZK_VERIFIER;
    bytes32 public immutable TEE_IMAGE_HASH;
    bytes32 public immutable ZK_RANGE_HASH;
    bytes32 public immutable ZK_AGGREGATE_HASH;
    bytes32 public immutable CONFIG_HASH;
    uint256 public immutable L2_CHAIN_ID;
    uint256 public immutable BLOCK_INTERVAL;
    uint256 public immutable INTERMEDIATE_BLOCK_INTERVAL;
    AnchorStateRegistry internal immutable ANCHORS;
    uint32 internal immutable GAME_TYPE;

    // The slots are those of the published contract: tests write to them.
    uint64 public createdAt;
    uint64 public resolvedAt;
    GameStatus public status;
    bool internal initialized;
    bool public wasRespectedGameTypeWhenCreated;
    Proposal public startingOutputRoot;
    address public bondRecipient;
    bool public bondUnlocked;
    bool public bondClaimed;
    uint256 public bondAmount;
    uint256 public counteredByIntermediateRootIndexPlusOne;
    mapping(ProofType => address) private proofTypeToProver;
    /// Seconds; the end of the time in which the game can be disputed.
    uint64 public expectedResolution;
    uint8 public proofCount;

    event Proved(address indexed proposer, ProofType indexed proofType);
    event Challenged(address indexed challenger, uint256 intermediateRootIndex);
    event Nullified(address indexed nullifier, uint256 intermediateRootIndex, bytes32 intermediateRoot);
    event Resolved(GameStatus status);
    event CreditClaimed(address indexed recipient, uint256 amount);

    error AlreadyInitialized();
    error AlreadyProven(ProofType proofType);
    error BondTransferFailed();
    error ClaimAlreadyResolved();
    error GameNotFinalized();
    error GameNotInProgress();
    error GameNotOver();
    error GameNotResolved();
    error GameOver();
    error GamePaused();
    error IntermediateRootMismatch(bytes32 intermediateRoot, bytes32 claim);
    error IntermediateRootSameAsProposed();
    error InvalidBlockInterval(uint256 blockInterval, uint256 intermediateBlockInterval);
    error InvalidGame();
    error InvalidIntermediateRootIndex();
    error InvalidParentGame();
    error InvalidProof();
    error InvalidProofType();
    error MissingProof(ProofType proofType);
    error NoCreditToClaim();
    error NotEnoughProofs();
    error ParentGameNotResolved();
    error UnexpectedBlockNumber(uint256 expectedBlockNumber, uint256 actualBlockNumber);

    constructor(
        uint32 gameType_,
        AnchorStateRegistry anchors,
        DelayedWETH weth,
        Verifier teeVerifier,
        Verifier zkVerifier,
        bytes32 teeImageHash,
        ZkHashes memory zkHashes,
        bytes32 configHash,
        uint256 l2ChainId,
        uint256 blockInterval,
        uint256 intermediateBlockInterval
    ) {
        if (blockInterval == 0 || intermediateBlockInterval == 0 || blockInterval % intermediateBlockInterval != 0) {
            revert InvalidBlockInterval(blockInterval, intermediateBlockInterval);
        }
        GAME_TYPE = gameType_;
        ANCHORS = anchors;
        DISPUTE_GAME_FACTORY = anchors.disputeGameFactory();
        DELAYED_WETH = weth;
        TEE_VERIFIER = teeVerifier;
        ZK_VERIFIER = zkVerifier;
        TEE_IMAGE_HASH = teeImageHash;
        ZK_RANGE_HASH = zkHashes.rangeHash;
        ZK_AGGREGATE_HASH = zkHashes.aggregateHash;
        CONFIG_HASH = configHash;
        L2_CHAIN_ID = l2ChainId;
        BLOCK_INTERVAL = blockInterval;
        INTERMEDIATE_BLOCK_INTERVAL = intermediateBlockInterval;
    }

    /// Called by the factory right after cloning.
    /// @param initData proof type(1) | L1 origin hash(32) | L1 origin number(32) | proof
    function initializeWithInitData(bytes calldata initData) external payable virtual {
        if (initialized) revert AlreadyInitialized();
        uint256 count = intermediateOutputRootsCount();
        if (CloneWithArgs.argsLength() != ROOTS + 32 * count) _badExtraData();
        bytes32 lastRoot = intermediateOutputRoot(count - 1);
        if (lastRoot != rootClaim()) revert IntermediateRootMismatch(lastRoot, rootClaim());

        startingOutputRoot = _parentProposal();
        uint256 expectedBlock = startingOutputRoot.l2SequenceNumber + BLOCK_INTERVAL;
        if (l2SequenceNumber() != expectedBlock) revert UnexpectedBlockNumber(expectedBlock, l2SequenceNumber());

        initialized = true;
        createdAt = uint64(block.timestamp);
        wasRespectedGameTypeWhenCreated = ANCHORS.respectedGameType() == GAME_TYPE;
        expectedResolution = NEVER;

        ProofType proofType = ProofType(uint8(initData[0]));
        bytes32 l1Origin = bytes32(initData[1:33]);
        L1Origin.check(l1Origin, uint256(bytes32(initData[33:65])));
        _verify(proofType, initData[65:], _wholeRange(gameCreator(), l1Origin));
        _proofAccepted(proofType, gameCreator());

        bondRecipient = gameCreator();
        bondAmount = msg.value;
        DELAYED_WETH.deposit{value: msg.value}();
    }

    /// Adds the other kind of proof for the same claim.
    /// @param proof proof type(1) | proof
    function verifyProposalProof(bytes calldata proof) external {
        if (status != GameStatus.IN_PROGRESS) revert GameNotInProgress();
        if (gameOver()) revert GameOver();
        ProofType proofType = ProofType(uint8(proof[0]));
        if (proofTypeToProver[proofType] != address(0)) revert AlreadyProven(proofType);
        _verify(proofType, proof[1:], _wholeRange(msg.sender, l1Head()));
        _proofAccepted(proofType, msg.sender);
    }

    /// Counters a TEE proof by a ZK proof of another root at one intermediate index.
    function challenge(bytes calldata proof, uint256 index, bytes32 root) external {
        if (status != GameStatus.IN_PROGRESS) revert ClaimAlreadyResolved();
        if (!_counts(IDisputeGame(address(this)))) revert InvalidGame();
        if (_parentStatus() == GameStatus.CHALLENGER_WINS) revert InvalidParentGame();
        if (proofTypeToProver[ProofType.TEE] == address(0)) revert MissingProof(ProofType.TEE);
        if (proofTypeToProver[ProofType.ZK] != address(0)) revert AlreadyProven(ProofType.ZK);
        if (ProofType(uint8(proof[0])) != ProofType.ZK) revert InvalidProofType();
        _requireDifferentRoot(index, root);
        _verify(ProofType.ZK, proof[1:], _oneInterval(index, root));

        proofTypeToProver[ProofType.ZK] = msg.sender;
        ++proofCount;
        // Time in which the challenge itself can be nullified.
        expectedResolution = uint64(block.timestamp) + SLOW_FINALIZATION_DELAY;
        counteredByIntermediateRootIndexPlusOne = index + 1;
        emit Challenged(msg.sender, index);
    }

    /// Shows that a proof system vouched for two different roots; it is stopped for good.
    /// @param proof proof type(1) | proof of `root` at `index`
    function nullify(bytes calldata proof, uint256 index, bytes32 root) external {
        if (status != GameStatus.IN_PROGRESS) revert ClaimAlreadyResolved();
        ProofType proofType = ProofType(uint8(proof[0]));
        if (proofTypeToProver[proofType] == address(0)) revert MissingProof(proofType);
        if (counteredByIntermediateRootIndexPlusOne > 0) {
            // Against a challenge: the same kind of proof, for the root that was proposed.
            if (index != counteredByIntermediateRootIndexPlusOne - 1) revert InvalidIntermediateRootIndex();
            bytes32 proposed = intermediateOutputRoot(index);
            if (root != proposed) revert IntermediateRootMismatch(root, proposed);
            if (proofType != ProofType.ZK) revert InvalidProofType();
        } else {
            _requireDifferentRoot(index, root);
        }
        _verify(proofType, proof[1:], _oneInterval(index, root));
        _proofRefuted(proofType);
        emit Nullified(msg.sender, index, root);
        (proofType == ProofType.TEE ? TEE_VERIFIER : ZK_VERIFIER).nullify();
    }

    /// Decides the game once its time is over. Drops a proof whose verifier was nullified meanwhile,
    /// and then stays in progress.
    function resolve() external returns (GameStatus) {
        if (status != GameStatus.IN_PROGRESS) revert ClaimAlreadyResolved();
        GameStatus parent = _parentStatus();
        if (parent == GameStatus.IN_PROGRESS) revert ParentGameNotResolved();
        if (parent == GameStatus.CHALLENGER_WINS) {
            status = GameStatus.CHALLENGER_WINS;
        } else {
            if (_dropNullifiedProof()) return status;
            if (!gameOver()) revert GameNotOver();
            if (proofCount < PROOF_THRESHOLD) revert NotEnoughProofs();
            if (counteredByIntermediateRootIndexPlusOne > 0) {
                status = GameStatus.CHALLENGER_WINS;
                bondRecipient = proofTypeToProver[ProofType.ZK];
            } else {
                status = GameStatus.DEFENDER_WINS;
            }
        }
        resolvedAt = uint64(block.timestamp);
        emit Resolved(status);
        return status;
    }

    /// Makes this game the anchor when it may be.
    function closeGame() external {
        if (ANCHORS.paused()) revert GamePaused();
        if (resolvedAt == 0) revert GameNotResolved();
        if (!ANCHORS.isGameFinalized(this)) revert GameNotFinalized();
        // An older or invalid game closes too, it just is no anchor.
        try ANCHORS.setAnchorState(this) {} catch {}
    }

    /// Twice: the first call unlocks the bond, the second, after the delay, pays it out.
    function claimCredit() external {
        if (bondClaimed) revert NoCreditToClaim();
        if (expectedResolution != NEVER) {
            if (resolvedAt == 0) revert GameNotResolved();
        } else if (block.timestamp < createdAt + BOND_ESCAPE_DELAY) {
            revert GameNotOver();
        }
        if (!bondUnlocked) {
            bondUnlocked = true;
            DELAYED_WETH.unlock(bondRecipient, bondAmount);
            return;
        }
        bondClaimed = true;
        DELAYED_WETH.withdraw(bondRecipient, bondAmount);
        (bool sent,) = bondRecipient.call{value: bondAmount}("");
        if (!sent) revert BondTransferFailed();
        emit CreditClaimed(bondRecipient, bondAmount);
    }

    function version() external pure virtual returns (string memory) {
        return "0.1.0";
    }

    function gameType() external view returns (uint32) {
        return GAME_TYPE;
    }

    function gameData() external view returns (uint32, bytes32, bytes memory) {
        return (GAME_TYPE, rootClaim(), extraData());
    }

    function anchorStateRegistry() external view returns (address) {
        return address(ANCHORS);
    }

    function teeProver() external view returns (address) {
        return proofTypeToProver[ProofType.TEE];
    }

    function zkProver() external view returns (address) {
        return proofTypeToProver[ProofType.ZK];
    }

    function startingBlockNumber() external view returns (uint256) {
        return startingOutputRoot.l2SequenceNumber;
    }

    function startingRootHash() external view returns (bytes32) {
        return startingOutputRoot.root;
    }

    function gameOver() public view returns (bool) {
        return expectedResolution <= block.timestamp;
    }

    function gameCreator() public view returns (address) {
        return CloneWithArgs.argAddress(0);
    }

    function rootClaim() public view returns (bytes32) {
        return CloneWithArgs.argWord(ROOT_CLAIM);
    }

    /// The parent hash of the L1 block the game was created in: the origin of every later proof.
    function l1Head() public view returns (bytes32) {
        return CloneWithArgs.argWord(L1_HEAD);
    }

    function l2SequenceNumber() public view returns (uint256) {
        return uint256(CloneWithArgs.argWord(EXTRA_DATA));
    }

    /// The anchor state registry for a first game.
    function parentAddress() public view returns (address) {
        return CloneWithArgs.argAddress(PARENT);
    }

    function extraData() public view returns (bytes memory) {
        return CloneWithArgs.argBytes(EXTRA_DATA, CloneWithArgs.argsLength() - EXTRA_DATA);
    }

    function intermediateOutputRootsCount() public view returns (uint256) {
        return BLOCK_INTERVAL / INTERMEDIATE_BLOCK_INTERVAL;
    }

    function intermediateOutputRoots() public view returns (bytes memory) {
        return CloneWithArgs.argBytes(ROOTS, 32 * intermediateOutputRootsCount());
    }

    function intermediateOutputRoot(uint256 index) public view returns (bytes32) {
        if (index >= intermediateOutputRootsCount()) revert InvalidIntermediateRootIndex();
        return CloneWithArgs.argWord(ROOTS + 32 * index);
    }

    /// `BadExtraData()` in four bytes. The published contract writes them by hand too, so that no ABI
    /// names this error.
    function _badExtraData() internal pure {
        assembly {
            mstore(0, 0x9824bdab)
            revert(0x1c, 4)
        }
    }

    function _parentProposal() internal view returns (Proposal memory) {
        if (parentAddress() == address(ANCHORS)) return ANCHORS.getStartingAnchorRoot();
        IDisputeGame parent = IDisputeGame(parentAddress());
        if (!_counts(parent)) revert InvalidParentGame();
        return Proposal(parent.rootClaim(), parent.l2SequenceNumber());
    }

    /// A blacklisted or retired parent counts as lost, the anchor as won.
    function _parentStatus() private view returns (GameStatus) {
        if (parentAddress() == address(ANCHORS)) return GameStatus.DEFENDER_WINS;
        IDisputeGame parent = IDisputeGame(parentAddress());
        if (ANCHORS.isGameBlacklisted(parent) || ANCHORS.isGameRetired(parent)) return GameStatus.CHALLENGER_WINS;
        return parent.status();
    }

    function _counts(IDisputeGame game) private view returns (bool) {
        return ANCHORS.isGameRegistered(game) && ANCHORS.isGameRespected(game) && !ANCHORS.isGameBlacklisted(game)
            && !ANCHORS.isGameRetired(game) && game.status() != GameStatus.CHALLENGER_WINS;
    }

    function _wholeRange(address proposer, bytes32 l1Origin) internal view returns (Transition memory) {
        return Transition(
            proposer,
            l1Origin,
            startingOutputRoot.root,
            uint64(startingOutputRoot.l2SequenceNumber),
            rootClaim(),
            uint64(l2SequenceNumber()),
            intermediateOutputRoots()
        );
    }

    /// One step between two intermediate roots. It starts from the root that was proposed, which
    /// nobody verified: only the first wrong index can be proven.
    function _oneInterval(uint256 index, bytes32 root) internal view virtual returns (Transition memory) {
        bytes32 startRoot = index == 0 ? startingOutputRoot.root : intermediateOutputRoot(index - 1);
        uint64 startBlock = uint64(startingOutputRoot.l2SequenceNumber + index * INTERMEDIATE_BLOCK_INTERVAL);
        return Transition(
            msg.sender,
            l1Head(),
            startRoot,
            startBlock,
            root,
            startBlock + uint64(INTERMEDIATE_BLOCK_INTERVAL),
            abi.encodePacked(root)
        );
    }

    function _requireDifferentRoot(uint256 index, bytes32 root) private view {
        if (intermediateOutputRoot(index) == root) revert IntermediateRootSameAsProposed();
    }

    function _verify(ProofType proofType, bytes calldata proof, Transition memory transition) internal view {
        if (proof.length == 0) revert InvalidProof();
        bool valid = proofType == ProofType.TEE
            ? TEE_VERIFIER.verify(
                abi.encodePacked(transition.proposer, proof), TEE_IMAGE_HASH, _journal(transition, TEE_IMAGE_HASH)
            )
            : ZK_VERIFIER.verify(proof, ZK_AGGREGATE_HASH, _journal(transition, ZK_RANGE_HASH));
        if (!valid) revert InvalidProof();
    }

    function _journal(Transition memory transition, bytes32 programHash) internal view virtual returns (bytes32) {
        return keccak256(
            abi.encodePacked(
                transition.proposer,
                transition.l1Origin,
                transition.startRoot,
                transition.startBlock,
                transition.endRoot,
                transition.endBlock,
                transition.intermediateRoots,
                CONFIG_HASH,
                programHash
            )
        );
    }

    /// A further proof can only bring the end nearer.
    function _proofAccepted(ProofType proofType, address prover) internal {
        proofTypeToProver[proofType] = prover;
        ++proofCount;
        uint64 resolution = uint64(block.timestamp) + _delay();
        if (resolution < expectedResolution) expectedResolution = resolution;
        emit Proved(prover, proofType);
    }

    /// What is left gets its full time again; without any proof the game cannot resolve.
    function _proofRefuted(ProofType proofType) private {
        delete proofTypeToProver[proofType];
        if (proofType == ProofType.ZK) delete counteredByIntermediateRootIndexPlusOne;
        if (proofCount == 0) revert NotEnoughProofs();
        --proofCount;
        expectedResolution = proofCount == 0 ? NEVER : uint64(block.timestamp) + _delay();
    }

    function _dropNullifiedProof() private returns (bool) {
        if (proofTypeToProver[ProofType.TEE] != address(0) && TEE_VERIFIER.nullified()) {
            _proofRefuted(ProofType.TEE);
            return true;
        }
        if (proofTypeToProver[ProofType.ZK] != address(0) && ZK_VERIFIER.nullified()) {
            _proofRefuted(ProofType.ZK);
            return true;
        }
        return false;
    }

    function _delay() private view returns (uint64) {
        return proofCount >= 2 ? FAST_FINALIZATION_DELAY : SLOW_FINALIZATION_DELAY;
    }
}
