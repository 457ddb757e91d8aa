// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

enum GameStatus {
    IN_PROGRESS,
    CHALLENGER_WINS,
    DEFENDER_WINS
}

/// An output root and the L2 block it belongs to.
struct Proposal {
    bytes32 root;
    uint256 l2SequenceNumber;
}

/// What factory, anchor registry and games know of a game.
interface IDisputeGame {
    function initializeWithInitData(bytes calldata initData) external payable;
    function anchorStateRegistry() external view returns (address);
    function createdAt() external view returns (uint64);
    function resolvedAt() external view returns (uint64);
    function status() external view returns (GameStatus);
    function gameData() external view returns (uint32 gameType, bytes32 rootClaim, bytes memory extraData);
    function rootClaim() external view returns (bytes32);
    function extraData() external view returns (bytes memory);
    function l2SequenceNumber() external view returns (uint256);
    function wasRespectedGameTypeWhenCreated() external view returns (bool);
}
