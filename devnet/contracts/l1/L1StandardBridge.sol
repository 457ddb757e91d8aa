// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {StandardBridge} from "../shared/StandardBridge.sol";

contract L1StandardBridge is StandardBridge {
    CrossDomainMessenger private immutable messenger_;

    constructor(CrossDomainMessenger l1Messenger) {
        messenger_ = l1Messenger;
    }

    function messenger() public view override returns (CrossDomainMessenger) {
        return messenger_;
    }

    function otherBridge() public pure override returns (StandardBridge) {
        return StandardBridge(payable(0x4200000000000000000000000000000000000010));
    }
}
