// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {IDisputeGame} from "./IDisputeGame.sol";

/// A proof system that stops for good once one of its proofs turns out to contradict another.
abstract contract Verifier {
    AnchorStateRegistry public immutable ANCHOR_STATE_REGISTRY;

    bool public nullified;

    event VerifierNullified(address game);

    error NotProperGame();
    error Nullified();

    modifier notNullified() {
        if (nullified) revert Nullified();
        _;
    }

    constructor(AnchorStateRegistry registry) {
        ANCHOR_STATE_REGISTRY = registry;
    }

    /// Called by a game in which this verifier accepted two contradicting proofs. A pause does not
    /// hinder it: a broken proof system has to be stopped then, too.
    function nullify() external {
        IDisputeGame game = IDisputeGame(msg.sender);
        if (
            !ANCHOR_STATE_REGISTRY.isGameRegistered(game) || !ANCHOR_STATE_REGISTRY.isGameRespected(game)
                || ANCHOR_STATE_REGISTRY.isGameBlacklisted(game) || ANCHOR_STATE_REGISTRY.isGameRetired(game)
        ) {
            revert NotProperGame();
        }
        nullified = true;
        emit VerifierNullified(msg.sender);
    }

    /// @param proof what the proof system needs
    /// @param imageId which program (or enclave image) was run
    /// @param journal hash of the public inputs
    function verify(bytes calldata proof, bytes32 imageId, bytes32 journal) external view virtual returns (bool);
}
