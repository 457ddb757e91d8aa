// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AggregateVerifier} from "./AggregateVerifier.sol";
import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {CloneWithArgs} from "./CloneWithArgs.sol";
import {DelayedWETH} from "./DelayedWETH.sol";
import {L1Origin} from "./L1Origin.sol";
import {ProtocolVersions} from "./ProtocolVersions.sol";
import {Verifier} from "./Verifier.sol";

/// The game of a chain that has upgrades: journals end with the id of the schedule, and from Denim's first
/// block on games take the fast intervals, for a block there is a tenth of the time. As the published one
/// from August 2026, whose BLOCK_INTERVAL and INTERMEDIATE_BLOCK_INTERVAL are gone: here they stay and are the
/// slow ones.
contract ScheduledVerifier is AggregateVerifier {
    struct IntervalConfig {
        uint256 slowBlockInterval;
        uint256 slowIntermediateBlockInterval;
        uint256 fastBlockInterval;
        uint256 fastIntermediateBlockInterval;
    }

    struct ScheduleConfig {
        ProtocolVersions protocolVersions;
        uint256 genesisBlockNumber;
        uint64 genesisTimestamp;
        /// Seconds between blocks until Denim.
        uint64 blockTime;
    }

    /// Denim's place in ProtocolVersions.
    uint256 private constant DENIM = 13;
    uint256 private constant FAST_BLOCKS_PER_SECOND = 5;

    uint256 public immutable FAST_BLOCK_INTERVAL;
    uint256 public immutable FAST_INTERMEDIATE_BLOCK_INTERVAL;
    ProtocolVersions public immutable PROTOCOL_VERSIONS;
    uint256 public immutable L2_GENESIS_BLOCK_NUMBER;
    uint64 public immutable L2_GENESIS_TIMESTAMP;
    uint64 public immutable L2_BLOCK_TIME;

    /// What every proof of this game commits to, as it was when the game began.
    bytes32 public scheduleId;

    error L2TimestampInFuture(uint64 claimTimestamp, uint256 l1Timestamp);
    error MismatchedIntermediateRootCount(uint256 slow, uint256 fast);

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
        IntervalConfig memory intervals,
        ScheduleConfig memory schedule
    )
        AggregateVerifier(
            gameType_,
            anchors,
            weth,
            teeVerifier,
            zkVerifier,
            teeImageHash,
            zkHashes,
            configHash,
            l2ChainId,
            intervals.slowBlockInterval,
            intervals.slowIntermediateBlockInterval
        )
    {
        uint256 all = intervals.fastBlockInterval;
        uint256 each = intervals.fastIntermediateBlockInterval;
        if (all == 0 || each == 0 || all % each != 0) revert InvalidBlockInterval(all, each);
        uint256 slowCount = intervals.slowBlockInterval / intervals.slowIntermediateBlockInterval;
        if (all / each != slowCount) revert MismatchedIntermediateRootCount(slowCount, all / each);
        FAST_BLOCK_INTERVAL = all;
        FAST_INTERMEDIATE_BLOCK_INTERVAL = each;
        PROTOCOL_VERSIONS = schedule.protocolVersions;
        L2_GENESIS_BLOCK_NUMBER = schedule.genesisBlockNumber;
        L2_GENESIS_TIMESTAMP = schedule.genesisTimestamp;
        L2_BLOCK_TIME = schedule.blockTime;
    }

    /// As the game it is made of, but for the interval, the time of the claim and the id of the schedule.
    function initializeWithInitData(bytes calldata initData) external payable override {
        if (initialized) revert AlreadyInitialized();
        uint256 count = intermediateOutputRootsCount();
        if (CloneWithArgs.argsLength() != ROOTS + 32 * count) _badExtraData();
        bytes32 lastRoot = intermediateOutputRoot(count - 1);
        if (lastRoot != rootClaim()) revert IntermediateRootMismatch(lastRoot, rootClaim());

        startingOutputRoot = _parentProposal();
        uint256 start = startingOutputRoot.l2SequenceNumber;
        (uint256 interval,) = intervalsForStartingBlock(start);
        uint256 end = l2SequenceNumber();
        if (end != start + interval) revert UnexpectedBlockNumber(start + interval, end);
        uint64 claimTimestamp = l2Timestamp(end);
        if (claimTimestamp > block.timestamp) revert L2TimestampInFuture(claimTimestamp, block.timestamp);
        scheduleId = _scheduleIdAt(claimTimestamp);

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

    function SLOW_BLOCK_INTERVAL() external view returns (uint256) {
        return BLOCK_INTERVAL;
    }

    function SLOW_INTERMEDIATE_BLOCK_INTERVAL() external view returns (uint256) {
        return INTERMEDIATE_BLOCK_INTERVAL;
    }

    function version() external pure virtual override returns (string memory) {
        return "0.3.0";
    }

    /// Blocks of a game that starts from this one, and between its intermediate roots. One game at most
    /// begins before Denim and ends behind it: it has the slow ones.
    function intervalsForStartingBlock(uint256 number)
        public
        view
        returns (uint256 blockInterval, uint256 intermediateBlockInterval)
    {
        return number < _firstFastBlock()
            ? (BLOCK_INTERVAL, INTERMEDIATE_BLOCK_INTERVAL)
            : (FAST_BLOCK_INTERVAL, FAST_INTERMEDIATE_BLOCK_INTERVAL);
    }

    /// Seconds in the header of an L2 block.
    function l2Timestamp(uint256 number) public view returns (uint64) {
        uint256 fast = _firstFastBlock();
        uint256 slow = number < fast ? number : fast;
        uint256 atLast = L2_GENESIS_TIMESTAMP + (slow - L2_GENESIS_BLOCK_NUMBER) * L2_BLOCK_TIME;
        return uint64(atLast + (number - slow) / FAST_BLOCKS_PER_SECOND);
    }

    /// The first slot of the old grid at or after Denim's time; no block at all while that has none.
    function _firstFastBlock() private view returns (uint256) {
        uint64[] memory times = PROTOCOL_VERSIONS.getSchedule();
        if (times.length <= DENIM || times[DENIM] == 0) return type(uint256).max;
        if (times[DENIM] <= L2_GENESIS_TIMESTAMP) return L2_GENESIS_BLOCK_NUMBER;
        uint256 wait = times[DENIM] - L2_GENESIS_TIMESTAMP;
        return L2_GENESIS_BLOCK_NUMBER + (wait + L2_BLOCK_TIME - 1) / L2_BLOCK_TIME;
    }

    /// Of what holds when the last block of the game comes.
    function _scheduleIdAt(uint64 claimTimestamp) internal view virtual returns (bytes32) {
        return PROTOCOL_VERSIONS.activatedScheduleId(claimTimestamp);
    }

    function _oneInterval(uint256 index, bytes32 root) internal view override returns (Transition memory) {
        uint256 start = startingOutputRoot.l2SequenceNumber;
        (, uint256 each) = intervalsForStartingBlock(start);
        bytes32 startRoot = index == 0 ? startingOutputRoot.root : intermediateOutputRoot(index - 1);
        uint64 startBlock = uint64(start + index * each);
        return Transition(
            msg.sender, l1Head(), startRoot, startBlock, root, startBlock + uint64(each), abi.encodePacked(root)
        );
    }

    function _journal(Transition memory transition, bytes32 programHash) internal view override returns (bytes32) {
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
                programHash,
                scheduleId
            )
        );
    }
}
