// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {NitroValidator, Ptrs} from "./NitroValidator.sol";

/// DEV STAND-IN for the validator of attestations, which takes no root but that of AWS: the document is read
/// here, and for its signature and certificates it believes one key, that of the devnet's registrar, which
/// verifies both off chain.
contract DevNitroValidator is NitroValidator {
    address public immutable ATTESTER;

    uint8 private constant UINT = 0;
    uint8 private constant BYTES = 2;
    uint8 private constant TEXT = 3;
    uint8 private constant ARRAY = 4;
    uint8 private constant MAP = 5;
    /// What ends a map without a length.
    uint8 private constant BREAK = 0xff;
    uint8 private constant NULL = 0xf6;
    uint256 private constant INDEFINITE = type(uint256).max;

    error AttestationMalformed(uint256 at);
    error AttestationVerificationFailed();

    constructor(address attester) {
        ATTESTER = attester;
    }

    /// @param hints r(32) | s(32) | v(1, 27 or 28) over keccak256(this contract(20) | keccak256 of the signed
    /// bytes | keccak256 of the signature)
    function validateAttestationWithHints(
        bytes calldata attestationTbs,
        bytes calldata signature,
        bytes calldata hints
    ) external view override returns (Ptrs memory) {
        if (signature.length != 96 || hints.length != 65) revert AttestationVerificationFailed();
        bytes32 digest = keccak256(abi.encodePacked(address(this), keccak256(attestationTbs), keccak256(signature)));
        address attester = ecrecover(digest, uint8(hints[64]), bytes32(hints[:32]), bytes32(hints[32:64]));
        if (attester == address(0) || attester != ATTESTER) revert AttestationVerificationFailed();
        return _read(attestationTbs);
    }

    /// CBOR: ["Signature1", protected header, nothing, payload], and the payload is a map.
    function _read(bytes calldata tbs) private pure returns (Ptrs memory ptrs) {
        (uint256 at, uint256 parts) = _open(tbs, 0, ARRAY);
        if (parts != 4) revert AttestationMalformed(0);
        (at,) = _slice(tbs, at, TEXT);
        (at,) = _slice(tbs, at, BYTES);
        (at,) = _slice(tbs, at, BYTES);
        (at, parts) = _open(tbs, at, BYTES);
        (at, parts) = _open(tbs, at, MAP);
        for (uint256 i = 0; i < parts && !(parts == INDEFINITE && uint8(tbs[at]) == BREAK); ++i) {
            uint256 name;
            (at, name) = _slice(tbs, at, TEXT);
            at = _member(tbs, at, keccak256(tbs[name >> 128:(name >> 128) + uint128(name)]), ptrs);
        }
    }

    function _member(bytes calldata tbs, uint256 at, bytes32 name, Ptrs memory ptrs) private pure returns (uint256) {
        uint256 value;
        if (name == keccak256("timestamp")) {
            (at, value) = _open(tbs, at, UINT);
            ptrs.timestamp = uint64(value);
        } else if (name == keccak256("pcrs")) {
            (at, ptrs.pcrs) = _pcrs(tbs, at);
        } else if (name == keccak256("cabundle")) {
            (at, ptrs.cabundle) = _list(tbs, at);
        } else {
            bool isText = name == keccak256("module_id") || name == keccak256("digest");
            (at, value) = _slice(tbs, at, isText ? TEXT : BYTES);
            if (name == keccak256("module_id")) ptrs.moduleID = value;
            else if (name == keccak256("digest")) ptrs.digest = value;
            else if (name == keccak256("certificate")) ptrs.cert = value;
            else if (name == keccak256("public_key")) ptrs.publicKey = value;
            else if (name == keccak256("user_data")) ptrs.userData = value;
            else if (name == keccak256("nonce")) ptrs.nonce = value;
            else revert AttestationMalformed(at);
        }
        return at;
    }

    /// Those from 0 on without a gap; a later one is passed over.
    function _pcrs(bytes calldata tbs, uint256 from) private pure returns (uint256 at, uint256[] memory pcrs) {
        uint256 count;
        (at, count) = _open(tbs, from, MAP);
        if (count > 32) revert AttestationMalformed(from);
        pcrs = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) {
            uint256 index;
            uint256 value;
            (at, index) = _open(tbs, at, UINT);
            (at, value) = _slice(tbs, at, BYTES);
            if (index < count) pcrs[index] = value;
        }
    }

    function _list(bytes calldata tbs, uint256 from) private pure returns (uint256 at, uint256[] memory list) {
        uint256 count;
        (at, count) = _open(tbs, from, ARRAY);
        if (count > 32) revert AttestationMalformed(from);
        list = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) (at, list[i]) = _slice(tbs, at, BYTES);
    }

    /// A string, or null, which is an empty one.
    /// @return next what is behind it
    /// @return word start << 128 | length
    function _slice(bytes calldata tbs, uint256 at, uint8 kind) private pure returns (uint256 next, uint256 word) {
        if (uint8(tbs[at]) == NULL) return (at + 1, 0);
        (uint256 start, uint256 length) = _open(tbs, at, kind);
        if (length > tbs.length || start + length > tbs.length) revert AttestationMalformed(at);
        return (start + length, (start << 128) | length);
    }

    /// The head of a value.
    /// @return next what is behind the head
    /// @return value the number, or the length; the largest number where it has none
    function _open(bytes calldata tbs, uint256 at, uint8 kind) private pure returns (uint256 next, uint256 value) {
        uint8 head = uint8(tbs[at]);
        if (head >> 5 != kind) revert AttestationMalformed(at);
        uint8 low = head & 31;
        if (low < 24) return (at + 1, low);
        if (low == 31) return (at + 1, INDEFINITE);
        if (low > 27) revert AttestationMalformed(at);
        uint256 size = 1 << (low - 24);
        return (at + 1 + size, uint256(bytes32(tbs[at + 1:at + 1 + size])) >> (8 * (32 - size)));
    }
}
