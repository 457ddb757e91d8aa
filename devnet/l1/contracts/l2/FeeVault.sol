// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {L2ToL1MessagePasser} from "./L2ToL1MessagePasser.sol";

/// Where one kind of fee gathers: sequencer (0x42..11), base (0x42..19), L1 (0x42..1a) and operator
/// (0x42..1b) share this code. Configured by the genesis storage.
contract FeeVault {
    enum WithdrawalNetwork {
        L1,
        L2
    }

    L2ToL1MessagePasser private constant MESSAGE_PASSER =
        L2ToL1MessagePasser(payable(0x4200000000000000000000000000000000000016));
    uint256 private constant WITHDRAWAL_GAS_LIMIT = 400_000;

    // slot 0
    uint256 public totalProcessed;
    // slot 1
    uint256 public minWithdrawalAmount;
    // slot 2
    address public recipient;
    WithdrawalNetwork public withdrawalNetwork;

    event Withdrawal(uint256 value, address to, address from);
    event Withdrawal(uint256 value, address to, address from, WithdrawalNetwork withdrawalNetwork);

    receive() external payable {}

    function withdraw() external returns (uint256 value) {
        value = address(this).balance;
        require(value >= minWithdrawalAmount, "FeeVault: withdrawal amount must be greater than minimum withdrawal amount");
        totalProcessed += value;
        emit Withdrawal(value, recipient, msg.sender);
        emit Withdrawal(value, recipient, msg.sender, withdrawalNetwork);
        if (withdrawalNetwork == WithdrawalNetwork.L2) {
            (bool sent,) = recipient.call{value: value}("");
            require(sent, "FeeVault: failed to send ETH to L2 fee recipient");
        } else {
            MESSAGE_PASSER.initiateWithdrawal{value: value}(recipient, WITHDRAWAL_GAS_LIMIT, "");
        }
    }

    function RECIPIENT() external view returns (address) {
        return recipient;
    }

    function MIN_WITHDRAWAL_AMOUNT() external view returns (uint256) {
        return minWithdrawalAmount;
    }

    function WITHDRAWAL_NETWORK() external view returns (WithdrawalNetwork) {
        return withdrawalNetwork;
    }
}
