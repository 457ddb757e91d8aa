// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Checks that a hash is that of an earlier L1 block, as far back as the chain itself can tell.
library L1Origin {
    address internal constant HISTORY_STORAGE = 0x0000F90827F1C53a10cb7A02335B175320002935;
    /// Blocks that BLOCKHASH can look back.
    uint256 internal constant BLOCKHASH_WINDOW = 256;
    /// Blocks that EIP-2935 can look back.
    uint256 internal constant HISTORY_WINDOW = 8191;

    error L1OriginHashMismatch(bytes32 claimed, bytes32 actual);
    error L1OriginInFuture(uint256 l1OriginNumber, uint256 currentBlock);
    error L1OriginTooOld(uint256 l1OriginNumber, uint256 currentBlock);

    function check(bytes32 claimed, uint256 number) internal view {
        if (number >= block.number) revert L1OriginInFuture(number, block.number);
        bytes32 actual = _blockHash(number);
        if (actual == 0) revert L1OriginTooOld(number, block.number);
        if (actual != claimed) revert L1OriginHashMismatch(claimed, actual);
    }

    /// Zero when it is out of reach.
    function _blockHash(uint256 number) private view returns (bytes32) {
        uint256 age = block.number - number;
        if (age <= BLOCKHASH_WINDOW) return blockhash(number);
        if (age > HISTORY_WINDOW) return 0;
        // The system contract takes the bare number, no selector.
        (bool success, bytes memory answer) = HISTORY_STORAGE.staticcall(abi.encode(number));
        return success && answer.length == 32 ? bytes32(answer) : bytes32(0);
    }
}
