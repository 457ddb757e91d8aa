// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What calls of a benchmark do: arithmetic, hashes, cold slots, nested calls.
contract Workload {
    mapping(uint256 => uint256) public data;

    function fill(uint256 from, uint256 count) external {
        for (uint256 i = from; i < from + count; i++) data[i] = i + 1;
    }

    function loop(uint256 n) external pure returns (uint256 r) {
        unchecked {
            r = 1;
            for (uint256 i = 0; i < n; i++) r = (r * 31 + i) ^ (r >> 3);
        }
    }

    function hash(uint256 n) external pure returns (bytes32 r) {
        unchecked {
            for (uint256 i = 0; i < n; i++) r = keccak256(abi.encode(r, i));
        }
    }

    function load(uint256 n) external view returns (uint256 r) {
        unchecked {
            for (uint256 i = 0; i < n; i++) r += data[i];
        }
    }

    function nest(uint256 n) external view returns (uint256 r) {
        for (uint256 i = 0; i < n; i++) r += Workload(address(this)).data(i);
    }
}
