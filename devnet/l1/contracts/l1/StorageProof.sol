// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The nodes lead from the root to nothing, or are none.
error OptimismPortal_InvalidMerkleProof();

/// Proofs over the storage of an account on the other layer: the nodes of a Merkle-Patricia trie from
/// its root down to a leaf. A node of less than 32 bytes is a node of its own here, though its parent
/// holds it whole (as in every tool that makes such proofs).
library StorageProof {
    uint256 private constant PATH_LENGTH = 64;
    uint256 private constant BRANCH_LENGTH = 17;

    /// Of an RLP item: where it begins with its head, where its content does, and where it ends.
    struct Item {
        uint256 start;
        uint256 content;
        uint256 end;
        bool isList;
    }

    /// Whether `slot` holds 1 in the storage trie of that root.
    function holdsOne(bytes32 root, bytes32 slot, bytes[] calldata proof) internal pure returns (bool) {
        bytes32 path = keccak256(abi.encode(slot));
        bytes32 expected = root;
        uint256 depth = 0;
        for (uint256 at = 0; at < proof.length; ++at) {
            bytes memory node = proof[at];
            if (keccak256(node) != expected) revert OptimismPortal_InvalidMerkleProof();
            Item[] memory items = _itemsOf(node);
            Item memory next;
            if (items.length == BRANCH_LENGTH) {
                if (depth == PATH_LENGTH) revert OptimismPortal_InvalidMerkleProof();
                next = items[_nibble(path, depth++)];
            } else if (items.length == 2) {
                bool isLeaf;
                (isLeaf, depth) = _follow(node, items[0], path, depth);
                next = items[1];
                if (isLeaf) {
                    if (depth != PATH_LENGTH || at + 1 != proof.length) return false;
                    // The RLP of 1 is 0x01, and the trie holds a value as its RLP.
                    return next.end - next.start == 1 && node[next.start] == 0x01;
                }
            } else {
                revert OptimismPortal_InvalidMerkleProof();
            }
            expected = _reference(node, next);
        }
        revert OptimismPortal_InvalidMerkleProof();
    }

    /// Goes along the compact path of a leaf or an extension.
    function _follow(bytes memory node, Item memory item, bytes32 path, uint256 depth)
        private
        pure
        returns (bool isLeaf, uint256)
    {
        if (item.isList || item.content == item.end) revert OptimismPortal_InvalidMerkleProof();
        uint256 head = uint8(node[item.content]) >> 4;
        if (head > 3) revert OptimismPortal_InvalidMerkleProof();
        bool isOdd = head & 1 == 1;
        uint256 first = 2 * item.content + (isOdd ? 1 : 2);
        for (uint256 nibble = first; nibble < 2 * item.end; ++nibble) {
            if (depth == PATH_LENGTH) revert OptimismPortal_InvalidMerkleProof();
            uint256 value = uint8(node[nibble / 2]);
            if ((nibble & 1 == 0 ? value >> 4 : value & 15) != _nibble(path, depth++)) {
                revert OptimismPortal_InvalidMerkleProof();
            }
        }
        return (head > 1, depth);
    }

    /// What the next node of the proof hashes to.
    function _reference(bytes memory node, Item memory item) private pure returns (bytes32 hash) {
        uint256 from = item.isList ? item.start : item.content;
        uint256 length = item.end - from;
        if (!item.isList && length != 32) revert OptimismPortal_InvalidMerkleProof();
        assembly {
            let place := add(add(node, 32), from)
            switch mload(add(item, 96))
            case 0 { hash := mload(place) }
            default { hash := keccak256(place, length) }
        }
    }

    function _itemsOf(bytes memory node) private pure returns (Item[] memory items) {
        Item memory list = _itemAt(node, 0);
        if (!list.isList || list.end != node.length) revert OptimismPortal_InvalidMerkleProof();
        items = new Item[](BRANCH_LENGTH);
        uint256 count = 0;
        for (uint256 at = list.content; at < list.end; at = items[count++].end) {
            if (count == BRANCH_LENGTH) revert OptimismPortal_InvalidMerkleProof();
            items[count] = _itemAt(node, at);
        }
        assembly {
            mstore(items, count)
        }
    }

    /// A node has 17 items of at most 33 bytes: its length fits in two bytes.
    function _itemAt(bytes memory node, uint256 at) private pure returns (Item memory item) {
        if (at >= node.length) revert OptimismPortal_InvalidMerkleProof();
        uint256 head = uint8(node[at]);
        item.start = at;
        item.isList = head >= 0xc0;
        if (head < 0x80) {
            (item.content, item.end) = (at, at + 1);
        } else {
            uint256 length = head - (item.isList ? 0xc0 : 0x80);
            item.content = at + 1;
            if (length > 55) {
                uint256 lengthBytes = length - 55;
                item.content += lengthBytes;
                if (lengthBytes > 2 || item.content > node.length) revert OptimismPortal_InvalidMerkleProof();
                length = uint8(node[at + 1]);
                if (lengthBytes == 2) length = (length << 8) | uint8(node[at + 2]);
            }
            item.end = item.content + length;
        }
        if (item.end > node.length) revert OptimismPortal_InvalidMerkleProof();
    }

    function _nibble(bytes32 path, uint256 index) private pure returns (uint256) {
        uint256 value = uint8(path[index / 2]);
        return index & 1 == 0 ? value >> 4 : value & 15;
    }
}
