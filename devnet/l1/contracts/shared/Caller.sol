// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Who calls a bridge.
library Caller {
    /// An account without code, or one that lends itself some (EIP-7702).
    function isEOA() internal view returns (bool) {
        bytes memory code = msg.sender.code;
        return msg.sender == tx.origin || (code.length == 23 && bytes3(code) == 0xef0100);
    }
}
