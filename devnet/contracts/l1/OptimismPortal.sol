// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AddressAliasing} from "../shared/AddressAliasing.sol";

/// Where deposits enter (OP spec: deposits, "Deposit Contract"). Holds the ether that was minted on
/// L2. Withdrawals are not finalised on the devnet.
contract OptimismPortal {
    uint256 private constant DEPOSIT_VERSION = 0;
    uint64 private constant RECEIVE_GAS_LIMIT = 100_000;
    uint256 private constant MAX_DATA_SIZE = 120_000;

    /// opaqueData of version 0: mint(32) | value(32) | gasLimit(8) | isCreation(1) | data.
    event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData);

    error OptimismPortal_BadTarget();
    error OptimismPortal_GasLimitTooLow();
    error OptimismPortal_CalldataTooLarge();

    receive() external payable {
        depositTransaction(msg.sender, msg.value, RECEIVE_GAS_LIMIT, false, "");
    }

    /// Ether without an L2 transaction.
    function donateETH() external payable {}

    /// @param value wei that the L2 transaction sends; `msg.value` is what is minted
    function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes memory data)
        public
        payable
    {
        if (isCreation && to != address(0)) revert OptimismPortal_BadTarget();
        if (gasLimit < minimumGasLimit(uint64(data.length))) revert OptimismPortal_GasLimitTooLow();
        if (data.length > MAX_DATA_SIZE) revert OptimismPortal_CalldataTooLarge();

        // A contract acts on L2 under its alias; the origin of the transaction under its own address.
        address from = msg.sender == tx.origin ? msg.sender : AddressAliasing.l1ToL2(msg.sender);
        bytes memory opaqueData = abi.encodePacked(msg.value, value, gasLimit, isCreation, data);
        emit TransactionDeposited(from, to, DEPOSIT_VERSION, opaqueData);
    }

    function version() external pure returns (string memory) {
        return "5.2.0";
    }

    /// Enough that the L2 transaction's intrinsic gas is covered.
    function minimumGasLimit(uint64 byteCount) public pure returns (uint64) {
        return byteCount * 40 + 21_000;
    }
}
