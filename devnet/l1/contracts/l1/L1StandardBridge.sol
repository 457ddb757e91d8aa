// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {StandardBridge} from "../shared/StandardBridge.sol";

/// The L1 end; beside the names of both layers it has the older ones of L1.
contract L1StandardBridge is StandardBridge {
    CrossDomainMessenger private immutable messenger_;

    event ETHDepositInitiated(address indexed from, address indexed to, uint256 amount, bytes extraData);
    event ETHWithdrawalFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData);
    event ERC20DepositInitiated(
        address indexed l1Token,
        address indexed l2Token,
        address indexed from,
        address to,
        uint256 amount,
        bytes extraData
    );
    event ERC20WithdrawalFinalized(
        address indexed l1Token,
        address indexed l2Token,
        address indexed from,
        address to,
        uint256 amount,
        bytes extraData
    );

    constructor(CrossDomainMessenger l1Messenger) {
        messenger_ = l1Messenger;
    }

    function messenger() public view override returns (CrossDomainMessenger) {
        return messenger_;
    }

    function otherBridge() public pure override returns (StandardBridge) {
        return StandardBridge(payable(0x4200000000000000000000000000000000000010));
    }

    function l2TokenBridge() external pure returns (address) {
        return address(otherBridge());
    }

    function depositETH(uint32 minGasLimit, bytes calldata extraData) external payable onlyEOA {
        _bridgeETH(msg.sender, minGasLimit, extraData);
    }

    function depositETHTo(address to, uint32 minGasLimit, bytes calldata extraData) external payable {
        _bridgeETH(to, minGasLimit, extraData);
    }

    function depositERC20(
        address l1Token,
        address l2Token,
        uint256 amount,
        uint32 minGasLimit,
        bytes calldata extraData
    ) external onlyEOA {
        _bridgeERC20(l1Token, l2Token, msg.sender, amount, minGasLimit, extraData);
    }

    function depositERC20To(
        address l1Token,
        address l2Token,
        address to,
        uint256 amount,
        uint32 minGasLimit,
        bytes calldata extraData
    ) external {
        _bridgeERC20(l1Token, l2Token, to, amount, minGasLimit, extraData);
    }

    function _ethLeaves(address from, address to, uint256 amount, bytes memory extraData) internal override {
        emit ETHDepositInitiated(from, to, amount, extraData);
    }

    function _ethArrived(address from, address to, uint256 amount, bytes memory extraData) internal override {
        emit ETHWithdrawalFinalized(from, to, amount, extraData);
    }

    function _erc20Leaves(address l1, address l2, address from, address to, uint256 amount, bytes memory extraData)
        internal
        override
    {
        emit ERC20DepositInitiated(l1, l2, from, to, amount, extraData);
    }

    function _erc20Arrived(address l1, address l2, address from, address to, uint256 amount, bytes memory extraData)
        internal
        override
    {
        emit ERC20WithdrawalFinalized(l1, l2, from, to, amount, extraData);
    }
}
