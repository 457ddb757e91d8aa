// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "./CrossDomainMessenger.sol";

/// Ether across the two layers (OP spec: bridges). Tokens are not bridged on the devnet.
abstract contract StandardBridge {
    uint32 internal constant RECEIVE_GAS_LIMIT = 200_000;

    event ETHBridgeInitiated(address indexed from, address indexed to, uint256 amount, bytes extraData);
    event ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData);

    function messenger() public view virtual returns (CrossDomainMessenger);

    function otherBridge() public view virtual returns (StandardBridge);

    receive() external payable {
        _initiate(msg.sender, RECEIVE_GAS_LIMIT, "");
    }

    function bridgeETH(uint32 minGasLimit, bytes calldata extraData) external payable {
        _initiate(msg.sender, minGasLimit, extraData);
    }

    function bridgeETHTo(address to, uint32 minGasLimit, bytes calldata extraData) external payable {
        _initiate(to, minGasLimit, extraData);
    }

    function finalizeBridgeETH(address from, address to, uint256 amount, bytes calldata extraData) external payable {
        require(
            msg.sender == address(messenger()) && messenger().xDomainMessageSender() == address(otherBridge()),
            "StandardBridge: function can only be called from the other bridge"
        );
        require(msg.value == amount, "StandardBridge: amount sent does not match amount required");
        emit ETHBridgeFinalized(from, to, amount, extraData);
        (bool sent,) = to.call{value: amount}("");
        require(sent, "StandardBridge: ETH transfer failed");
    }

    function _initiate(address to, uint32 minGasLimit, bytes memory extraData) private {
        emit ETHBridgeInitiated(msg.sender, to, msg.value, extraData);
        messenger().sendMessage{value: msg.value}(
            address(otherBridge()),
            abi.encodeCall(this.finalizeBridgeETH, (msg.sender, to, msg.value, extraData)),
            minGasLimit
        );
    }
}
