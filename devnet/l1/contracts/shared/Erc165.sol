// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Asks a contract what it supports (EIP-165), also one that never heard of it.
library Erc165 {
    function isSupported(address token, bytes4 interfaceId) internal view returns (bool) {
        (bool success, bytes memory answer) =
            token.staticcall{gas: 30_000}(abi.encodeWithSignature("supportsInterface(bytes4)", interfaceId));
        return success && answer.length == 32 && bytes32(answer) == bytes32(uint256(1));
    }
}
