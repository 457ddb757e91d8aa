// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A proxy with arguments behind its code, where the implementation reads them: they cost no storage
/// and cannot change. Ether that comes without calldata it takes itself and logs as
/// `ReceiveETH(uint256)`, so that a stipend of 2300 gas is enough.
library CloneWithArgs {
    uint256 private constant PROXY_SIZE = 91;
    bytes32 private constant RECEIVE_ETH = keccak256("ReceiveETH(uint256)");

    error CloneFailed();

    function create2(address implementation, bytes memory args, bytes32 salt) internal returns (address clone) {
        bytes memory creationCode = abi.encodePacked(
            // Returns everything behind these ten bytes.
            hex"61",
            uint16(PROXY_SIZE + args.length),
            hex"80600a3d393df3",
            // if (calldatasize == 0) { log1(callvalue, RECEIVE_ETH) stop }
            hex"36602d57345f527f",
            RECEIVE_ETH,
            hex"60205fa1005b",
            // delegatecall with the calldata, and pass on what comes back
            hex"365f5f375f5f365f73",
            implementation,
            hex"5af43d5f5f3e6057573d5ffd5b3d5ff3",
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
