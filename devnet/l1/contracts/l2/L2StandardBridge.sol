// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {ILegacyMintableERC20} from "../shared/IOptimismMintableERC20.sol";
import {StandardBridge} from "../shared/StandardBridge.sol";

/// Predeploy 0x42..10; beside the names of both layers it has the older ones of L2.
contract L2StandardBridge is StandardBridge {
    /// By the older names ether is this token on L2, and no token on L1.
    address private constant ETHER = 0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000;

    /// Set by the genesis storage.
    StandardBridge private l1Bridge;

    event WithdrawalInitiated(
        address indexed l1Token,
        address indexed l2Token,
        address indexed from,
        address to,
        uint256 amount,
        bytes extraData
    );
    event DepositFinalized(
        address indexed l1Token,
        address indexed l2Token,
        address indexed from,
        address to,
        uint256 amount,
        bytes extraData
    );

    function messenger() public pure override returns (CrossDomainMessenger) {
        return CrossDomainMessenger(0x4200000000000000000000000000000000000007);
    }

    function otherBridge() public view override returns (StandardBridge) {
        return l1Bridge;
    }

    function l1TokenBridge() external view returns (address) {
        return address(l1Bridge);
    }

    function withdraw(address l2Token, uint256 amount, uint32 minGasLimit, bytes calldata extraData)
        external
        payable
        onlyEOA
    {
        _withdraw(l2Token, msg.sender, amount, minGasLimit, extraData);
    }

    function withdrawTo(address l2Token, address to, uint256 amount, uint32 minGasLimit, bytes calldata extraData)
        external
        payable
    {
        _withdraw(l2Token, to, amount, minGasLimit, extraData);
    }

    function _withdraw(address l2Token, address to, uint256 amount, uint32 minGasLimit, bytes calldata extraData)
        private
    {
        if (l2Token == ETHER) {
            require(msg.value == amount, "StandardBridge: amount sent does not match amount required");
            _bridgeETH(to, minGasLimit, extraData);
        } else {
            require(msg.value == 0, "StandardBridge: a token's withdrawal takes no ether");
            _bridgeERC20(l2Token, ILegacyMintableERC20(l2Token).l1Token(), to, amount, minGasLimit, extraData);
        }
    }

    function _ethLeaves(address from, address to, uint256 amount, bytes memory extraData) internal override {
        emit WithdrawalInitiated(address(0), ETHER, from, to, amount, extraData);
    }

    function _ethArrived(address from, address to, uint256 amount, bytes memory extraData) internal override {
        emit DepositFinalized(address(0), ETHER, from, to, amount, extraData);
    }

    function _erc20Leaves(address l2, address l1, address from, address to, uint256 amount, bytes memory extraData)
        internal
        override
    {
        emit WithdrawalInitiated(l1, l2, from, to, amount, extraData);
    }

    function _erc20Arrived(address l2, address l1, address from, address to, uint256 amount, bytes memory extraData)
        internal
        override
    {
        emit DepositFinalized(l1, l2, from, to, amount, extraData);
    }
}
