// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The length of the FastLZ level 1 compression of some bytes, the size estimate behind the Fjord L1
/// data fee (OP spec: fjord/predeploys). Only the length: nothing is compressed.
library FastLz {
    uint256 private constant MAX_DISTANCE = 0x1fff;

    function compressedLength(bytes memory input) internal pure returns (uint256 size) {
        uint256 length = input.length;
        // 8192 entries of 4 bytes: where each hash was last seen.
        bytes memory table = new bytes(0x8000);
        uint256 anchor = 0;
        if (length > 14) {
            uint256 limit = length - 14;
            uint256 position = 2;
            while (position < limit) {
                uint256 candidate;
                uint256 distance;
                bool found = false;
                while (position < limit) {
                    uint256 word = _word(input, position);
                    candidate = _swap(table, word, position);
                    distance = position - candidate;
                    if (distance <= MAX_DISTANCE && word == _word(input, candidate)) {
                        found = true;
                        break;
                    }
                    ++position;
                }
                if (!found) break;
                size += _literals(position - anchor);
                // Three bytes are known to match; the last four are never part of a match.
                uint256 run = _common(input, candidate + 3, position + 3, length - 4);
                size += _match(run);
                position += run;
                _swap(table, _word(input, position), position);
                ++position;
                _swap(table, _word(input, position), position);
                ++position;
                anchor = position;
            }
        }
        size += _literals(length - anchor);
    }

    /// A run of up to 32 literals costs one byte more than itself.
    function _literals(uint256 count) private pure returns (uint256) {
        uint256 rest = count % 32;
        return (count / 32) * 33 + (rest == 0 ? 0 : rest + 1);
    }

    /// A match takes two bytes, three when it is long, and is cut every 262 bytes.
    function _match(uint256 run) private pure returns (uint256) {
        uint256 counted = run - 1;
        return (counted / 262) * 3 + (counted % 262 >= 6 ? 3 : 2);
    }

    /// How many bytes agree from `a` and `b` on, before `end`; the first that differs counts too.
    function _common(bytes memory input, uint256 a, uint256 b, uint256 end) private pure returns (uint256 run) {
        while (b + run < end) {
            if (input[a + run] != input[b + run]) return run + 1;
            ++run;
        }
    }

    /// Three bytes, least significant first.
    function _word(bytes memory input, uint256 position) private pure returns (uint256 word) {
        assembly {
            let raw := mload(add(add(input, 0x20), position))
            word := or(byte(0, raw), or(shl(8, byte(1, raw)), shl(16, byte(2, raw))))
        }
    }

    /// Reads and replaces the position kept for the hash of `word`.
    function _swap(bytes memory table, uint256 word, uint256 position) private pure returns (uint256 previous) {
        assembly {
            let entry := add(add(table, 0x20), shl(2, and(shr(19, mul(word, 2654435769)), 0x1fff)))
            let raw := mload(entry)
            previous := shr(224, raw)
            mstore(entry, or(shl(224, position), and(raw, shr(32, not(0)))))
        }
    }
}
