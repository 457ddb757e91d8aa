// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {OptimismPortal} from "./OptimismPortal.sol";

/// Messages to L2 leave as portal deposits. None arrive: the devnet's portal finalises no
/// withdrawals.
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

    function _fromOtherMessenger() internal pure override returns (bool) {
        return false;
    }

    function _unsafe(address target) internal view override returns (bool) {
        return target == address(this) || target == address(portal);
    }
}
