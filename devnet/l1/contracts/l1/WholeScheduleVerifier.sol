// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {DelayedWETH} from "./DelayedWETH.sol";
import {ScheduledVerifier} from "./ScheduledVerifier.sol";
import {Verifier} from "./Verifier.sol";

/// The same with the journals of July 2026: they end with the id of the whole schedule, upgrades that are
/// only announced included.
contract WholeScheduleVerifier is ScheduledVerifier {
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
        ScheduledVerifier(
            gameType_,
            anchors,
            weth,
            teeVerifier,
            zkVerifier,
            teeImageHash,
            zkHashes,
            configHash,
            l2ChainId,
            intervals,
            schedule
        )
    {}

    function version() external pure override returns (string memory) {
        return "0.1.0";
    }

    function _scheduleIdAt(uint64) internal view override returns (bytes32) {
        return PROTOCOL_VERSIONS.scheduleId();
    }
}
