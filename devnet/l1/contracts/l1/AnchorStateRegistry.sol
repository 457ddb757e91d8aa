// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DisputeGameFactory} from "./DisputeGameFactory.sol";
import {GameStatus, IDisputeGame, Proposal} from "./IDisputeGame.sol";
import {SystemConfig} from "./SystemConfig.sol";

/// Which game's root is the anchor that new games start from, and which games count (OP spec:
/// fault-proof/stage-one/anchor-state-registry).
contract AnchorStateRegistry {
    SystemConfig public immutable systemConfig;
    DisputeGameFactory public immutable disputeGameFactory;
    uint256 public immutable disputeGameFinalityDelaySeconds;

    IDisputeGame public anchorGame;
    Proposal private startingAnchorRoot;
    mapping(IDisputeGame => bool) public disputeGameBlacklist;
    uint32 public respectedGameType;
    /// Games created at or before it no longer count.
    uint64 public retirementTimestamp;

    event AnchorUpdated(IDisputeGame indexed game);
    event RespectedGameTypeSet(uint32 gameType);
    event RetirementTimestampSet(uint256 timestamp);
    event DisputeGameBlacklisted(IDisputeGame indexed disputeGame);

    error AnchorStateRegistry_InvalidAnchorGame();
    error AnchorStateRegistry_Unauthorized();

    modifier onlyGuardian() {
        if (msg.sender != systemConfig.guardian()) revert AnchorStateRegistry_Unauthorized();
        _;
    }

    constructor(
        SystemConfig config,
        DisputeGameFactory factory,
        Proposal memory startingRoot,
        uint32 gameType,
        uint256 finalityDelaySeconds
    ) {
        systemConfig = config;
        disputeGameFactory = factory;
        startingAnchorRoot = startingRoot;
        respectedGameType = gameType;
        disputeGameFinalityDelaySeconds = finalityDelaySeconds;
        retirementTimestamp = uint64(block.timestamp);
    }

    function setRespectedGameType(uint32 gameType) external onlyGuardian {
        respectedGameType = gameType;
        emit RespectedGameTypeSet(gameType);
    }

    function updateRetirementTimestamp() external onlyGuardian {
        retirementTimestamp = uint64(block.timestamp);
        emit RetirementTimestampSet(block.timestamp);
    }

    function blacklistDisputeGame(IDisputeGame game) external onlyGuardian {
        disputeGameBlacklist[game] = true;
        emit DisputeGameBlacklisted(game);
    }

    /// Anyone may move the anchor forward to a valid, finalised game.
    function setAnchorState(IDisputeGame game) external {
        (, uint256 anchorBlock) = getAnchorRoot();
        if (!isGameClaimValid(game) || game.l2SequenceNumber() <= anchorBlock) {
            revert AnchorStateRegistry_InvalidAnchorGame();
        }
        anchorGame = game;
        emit AnchorUpdated(game);
    }

    function getStartingAnchorRoot() external view returns (Proposal memory) {
        return startingAnchorRoot;
    }

    function getAnchorRoot() public view returns (bytes32 root, uint256 l2SequenceNumber) {
        if (address(anchorGame) == address(0)) {
            return (startingAnchorRoot.root, startingAnchorRoot.l2SequenceNumber);
        }
        return (anchorGame.rootClaim(), anchorGame.l2SequenceNumber());
    }

    /// The old way to ask; the type plays no part.
    function anchors(uint32) external view returns (bytes32 root, uint256 l2SequenceNumber) {
        return getAnchorRoot();
    }

    function superchainConfig() external view returns (address) {
        return systemConfig.superchainConfig();
    }

    function version() external pure returns (string memory) {
        return "3.7.0";
    }

    function paused() public view returns (bool) {
        return systemConfig.paused();
    }

    /// Created by the factory, and made for this registry.
    function isGameRegistered(IDisputeGame game) public view returns (bool) {
        (uint32 gameType, bytes32 rootClaim, bytes memory extraData) = game.gameData();
        (IDisputeGame registered,) = disputeGameFactory.games(gameType, rootClaim, extraData);
        return registered == game && game.anchorStateRegistry() == address(this);
    }

    function isGameRespected(IDisputeGame game) public view returns (bool) {
        return game.wasRespectedGameTypeWhenCreated();
    }

    function isGameBlacklisted(IDisputeGame game) public view returns (bool) {
        return disputeGameBlacklist[game];
    }

    function isGameRetired(IDisputeGame game) public view returns (bool) {
        return game.createdAt() <= retirementTimestamp;
    }

    function isGameResolved(IDisputeGame game) public view returns (bool) {
        return game.resolvedAt() != 0 && game.status() != GameStatus.IN_PROGRESS;
    }

    /// Not invalidated from outside; says nothing about whether its claim is right.
    function isGameProper(IDisputeGame game) public view returns (bool) {
        return isGameRegistered(game) && !isGameBlacklisted(game) && !isGameRetired(game) && !paused();
    }

    function isGameFinalized(IDisputeGame game) public view returns (bool) {
        return isGameResolved(game) && block.timestamp - game.resolvedAt() > disputeGameFinalityDelaySeconds;
    }

    function isGameClaimValid(IDisputeGame game) public view returns (bool) {
        return isGameProper(game) && isGameRespected(game) && isGameFinalized(game)
            && game.status() == GameStatus.DEFENDER_WINS;
    }
}
