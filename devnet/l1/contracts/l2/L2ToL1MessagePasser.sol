// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Commits withdrawals to storage (predeploy 0x42..16): its storage root is the withdrawalsRoot of
/// the header and part of the output root (OP spec: withdrawals, isthmus/exec-engine).
contract L2ToL1MessagePasser {
    uint16 public constant MESSAGE_VERSION = 1;
    uint256 private constant RECEIVE_GAS_LIMIT = 100_000;

    // slot 0
    mapping(bytes32 => bool) public sentMessages;
    // slot 1
    uint240 private msgNonce;

    event MessagePassed(
        uint256 indexed nonce,
        address indexed sender,
        address indexed target,
        uint256 value,
        uint256 gasLimit,
        bytes data,
        bytes32 withdrawalHash
    );
    event WithdrawerBalanceBurnt(uint256 indexed amount);

    receive() external payable {
        initiateWithdrawal(msg.sender, RECEIVE_GAS_LIMIT, "");
    }

    function initiateWithdrawal(address target, uint256 gasLimit, bytes memory data) public payable {
        uint256 nonce = messageNonce();
        bytes32 withdrawalHash = keccak256(abi.encode(nonce, msg.sender, target, msg.value, gasLimit, data));
        sentMessages[withdrawalHash] = true;
        emit MessagePassed(nonce, msg.sender, target, msg.value, gasLimit, data, withdrawalHash);
        ++msgNonce;
    }

    /// Removes the withdrawn ether from the L2 supply.
    function burn() external {
        uint256 amount = address(this).balance;
        new Burner{value: amount}();
        emit WithdrawerBalanceBurnt(amount);
    }

    /// The counter with the message version in its upper two bytes.
    function messageNonce() public view returns (uint256) {
        return (uint256(MESSAGE_VERSION) << 240) | msgNonce;
    }
}

/// Ether sent to oneself while being destroyed in the creating transaction is gone (EIP-6780).
contract Burner {
    constructor() payable {
        selfdestruct(payable(address(this)));
    }
}
