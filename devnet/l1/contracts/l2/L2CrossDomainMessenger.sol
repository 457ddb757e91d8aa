// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AddressAliasing} from "../shared/AddressAliasing.sol";
import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {L2ToL1MessagePasser} from "./L2ToL1MessagePasser.sol";

/// Predeploy 0x42..07: messages arrive as portal deposits of the aliased L1 messenger.
contract L2CrossDomainMessenger is CrossDomainMessenger {
    L2ToL1MessagePasser private constant MESSAGE_PASSER =
        L2ToL1MessagePasser(payable(0x4200000000000000000000000000000000000016));

    /// Set by the genesis storage.
    address private l1Messenger;

    function otherMessenger() public view override returns (address) {
        return l1Messenger;
    }

    function _send(address to, uint64 gasLimit, uint256 value, bytes memory data) internal override {
        MESSAGE_PASSER.initiateWithdrawal{value: value}(to, gasLimit, data);
    }

    function _fromOtherMessenger() internal view override returns (bool) {
        return AddressAliasing.l2ToL1(msg.sender) == l1Messenger;
    }

    function _unsafe(address target) internal view override returns (bool) {
        return target == address(this) || target == address(MESSAGE_PASSER);
    }
}
