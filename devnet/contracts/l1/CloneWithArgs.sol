// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// An EIP-1167 proxy with arguments behind its code, where the implementation reads them: they cost
/// no storage and cannot change.
library CloneWithArgs {
    uint256 private constant PROXY_SIZE = 45;

    error CloneFailed();

    function create2(address implementation, bytes memory args, bytes32 salt) internal returns (address clone) {
        bytes memory creationCode = abi.encodePacked(
            // Returns everything behind these ten bytes.
            hex"61",
            uint16(PROXY_SIZE + args.length),
            hex"80600a3d393df3",
            // EIP-1167.
            hex"363d3d373d3d3d363d73",
            implementation,
            hex"5af43d82803e903d91602b57fd5bf3",
            args
        );
        assembly {
            clone := create2(0, add(creationCode, 0x20), mload(creationCode), salt)
        }
        if (clone == address(0)) revert CloneFailed();
    }

    /// How many bytes of arguments this contract carries, when it is a clone.
    function argsLength() internal view returns (uint256) {
        return address(this).code.length - PROXY_SIZE;
    }

    function argBytes(uint256 offset, uint256 length) internal view returns (bytes memory data) {
        data = new bytes(length);
        assembly {
            extcodecopy(address(), add(data, 0x20), add(PROXY_SIZE, offset), length)
        }
    }

    function argWord(uint256 offset) internal view returns (bytes32 word) {
        assembly {
            extcodecopy(address(), 0, add(PROXY_SIZE, offset), 0x20)
            word := mload(0)
        }
    }

    function argAddress(uint256 offset) internal view returns (address) {
        return address(bytes20(argWord(offset)));
    }
}
