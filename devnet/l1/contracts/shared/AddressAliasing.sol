// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// An L1 contract acts on L2 under its address plus a constant, so that no L2 contract at the same
/// address can be mistaken for it (OP spec: deposits, "Address Aliasing").
library AddressAliasing {
    uint160 private constant OFFSET = uint160(0x1111000000000000000000000000000000001111);

    function l1ToL2(address l1Address) internal pure returns (address) {
        unchecked {
            return address(uint160(l1Address) + OFFSET);
        }
    }

    function l2ToL1(address l2Address) internal pure returns (address) {
        unchecked {
            return address(uint160(l2Address) - OFFSET);
        }
    }
}
