// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {OptimismPortal} from "./OptimismPortal.sol";

/// Messages to L2 leave as portal deposits, and arrive as withdrawals that the portal finalises.
contract L1CrossDomainMessenger is CrossDomainMessenger {
    OptimismPortal public immutable portal;

    constructor(OptimismPortal portal_) {
        portal = portal_;
    }

    function otherMessenger() public pure override returns (address) {
        return 0x4200000000000000000000000000000000000007;
    }

    function _send(address to, uint64 gasLimit, uint256 value, bytes memory data) internal override {
        portal.depositTransaction{value: value}(to, value, gasLimit, false, data);
    }

    function _fromOtherMessenger() internal view override returns (bool) {
        return msg.sender == address(portal) && portal.l2Sender() == otherMessenger();
    }

    function _unsafe(address target) internal view override returns (bool) {
        return target == address(this) || target == address(portal);
    }
}
