// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {StandardBridge} from "../shared/StandardBridge.sol";

/// Predeploy 0x42..10.
contract L2StandardBridge is StandardBridge {
    /// Set by the genesis storage.
    StandardBridge private l1Bridge;

    function messenger() public pure override returns (CrossDomainMessenger) {
        return CrossDomainMessenger(0x4200000000000000000000000000000000000007);
    }

    function otherBridge() public view override returns (StandardBridge) {
        return l1Bridge;
    }
}
