// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Calls across the two layers that can be replayed when they fail (OP spec: messengers). The same
/// code on both layers; the heirs know how a message travels and who may bring one.
abstract contract CrossDomainMessenger {
    uint16 public constant MESSAGE_VERSION = 1;
    /// What `relayMessage` itself needs, on top of the message's own gas.
    uint64 internal constant RELAY_OVERHEAD = 200_000;

    address private transient sender_;
    mapping(bytes32 => bool) public successfulMessages;
    mapping(bytes32 => bool) public failedMessages;
    uint240 private msgNonce;

    event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit);
    event SentMessageExtension1(address indexed sender, uint256 value);
    event RelayedMessage(bytes32 indexed msgHash);
    event FailedRelayedMessage(bytes32 indexed msgHash);

    function otherMessenger() public view virtual returns (address);

    function sendMessage(address target, bytes calldata message, uint32 minGasLimit) external payable {
        uint256 nonce = messageNonce();
        uint64 gas = baseGas(message, minGasLimit);
        bytes memory relay =
            abi.encodeCall(this.relayMessage, (nonce, msg.sender, target, msg.value, minGasLimit, message));
        _send(otherMessenger(), gas, msg.value, relay);
        emit SentMessage(target, msg.sender, message, nonce, minGasLimit);
        emit SentMessageExtension1(msg.sender, msg.value);
        ++msgNonce;
    }

    /// Brought by the other messenger, or replayed by anyone after a failure.
    function relayMessage(
        uint256 nonce,
        address sender,
        address target,
        uint256 value,
        uint256 minGasLimit,
        bytes calldata message
    ) external payable {
        bytes32 messageHash =
            keccak256(abi.encodeCall(this.relayMessage, (nonce, sender, target, value, minGasLimit, message)));
        if (_fromOtherMessenger()) {
            require(msg.value == value, "CrossDomainMessenger: value mismatch");
        } else {
            require(msg.value == 0, "CrossDomainMessenger: value must be zero unless message is from a system address");
            require(failedMessages[messageHash], "CrossDomainMessenger: message cannot be replayed");
        }
        require(!_unsafe(target), "CrossDomainMessenger: cannot send message to blocked system address");
        require(!successfulMessages[messageHash], "CrossDomainMessenger: message has already been relayed");
        require(sender_ == address(0), "CrossDomainMessenger: reentrant call");

        sender_ = sender;
        (bool success,) = target.call{value: value}(message);
        sender_ = address(0);
        if (success) {
            successfulMessages[messageHash] = true;
            emit RelayedMessage(messageHash);
        } else {
            failedMessages[messageHash] = true;
            emit FailedRelayedMessage(messageHash);
        }
    }

    /// The sender on the other layer, while its message is being relayed.
    function xDomainMessageSender() external view returns (address) {
        require(sender_ != address(0), "CrossDomainMessenger: xDomainMessageSender is not set");
        return sender_;
    }

    function messageNonce() public view returns (uint256) {
        return (uint256(MESSAGE_VERSION) << 240) | msgNonce;
    }

    function baseGas(bytes calldata message, uint32 minGasLimit) public pure returns (uint64) {
        return RELAY_OVERHEAD + uint64(minGasLimit) * 64 / 63 + uint64(message.length) * 40;
    }

    function _send(address to, uint64 gasLimit, uint256 value, bytes memory data) internal virtual;

    function _fromOtherMessenger() internal view virtual returns (bool);

    function _unsafe(address target) internal view virtual returns (bool);
}
