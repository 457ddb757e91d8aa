// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DisputeGameFactory} from "./DisputeGameFactory.sol";
import {NitroEnclaveVerifier} from "./NitroEnclaveVerifier.sol";
import {NitroValidator, Ptrs} from "./NitroValidator.sol";
import {TEEProverRegistry} from "./TEEProverRegistry.sol";

/// The registry since Cobalt: it has attestations themselves verified on chain, and no longer a ZK proof of
/// their verification. The former way to register is closed; its NITRO_VERIFIER stays and is nobody.
contract CobaltProverRegistry is TEEProverRegistry {
    uint256 private constant PCR_SIZE = 48;
    uint256 private constant KEY_SIZE = 65;
    /// keccak256 of 48 zero bytes: the PCR0 of an enclave in debug mode.
    bytes32 private constant DEBUG_IMAGE = 0xc980e59163ce244bb4bb6211f48c7b46f88a4f40943e84eb99bdc41e129bd293;

    NitroValidator public immutable NITRO_VALIDATOR;

    error AttestationFromFuture();
    error InvalidPCR0();

    constructor(NitroValidator validator, DisputeGameFactory factory)
        TEEProverRegistry(NitroEnclaveVerifier(address(0)), factory)
    {
        NITRO_VALIDATOR = validator;
    }

    /// Registers the key of a fresh attestation under the image that was attested.
    /// @param attestationTbs the COSE Sig_structure of the document
    /// @param signature P-384, r(48) | s(48)
    /// @param hints for the validator
    function registerSigner(bytes calldata attestationTbs, bytes calldata signature, bytes calldata hints)
        external
        onlyOwnerOrManager
    {
        Ptrs memory ptrs = NITRO_VALIDATOR.validateAttestationWithHints(attestationTbs, signature, hints);
        uint256 attestedAt = ptrs.timestamp / 1000;
        if (attestedAt + MAX_AGE <= block.timestamp) revert AttestationTooOld();
        if (attestedAt >= block.timestamp) revert AttestationFromFuture();
        if (ptrs.pcrs.length == 0 || uint128(ptrs.pcrs[0]) != PCR_SIZE) revert InvalidPCR0();
        bytes32 imageHash = keccak256(_part(attestationTbs, ptrs.pcrs[0]));
        if (imageHash == DEBUG_IMAGE) revert InvalidPCR0();
        bytes memory publicKey = _part(attestationTbs, ptrs.publicKey);
        if (publicKey.length != KEY_SIZE || publicKey[0] != 0x04) revert InvalidPublicKey();
        _register(_addressOf(publicKey), imageHash);
    }

    function registerSigner(bytes calldata, bytes calldata) external pure override {
        revert AttestationVerificationFailed();
    }

    function version() external pure override returns (string memory) {
        return "0.6.1";
    }

    /// @param word start << 128 | length
    function _part(bytes calldata tbs, uint256 word) private pure returns (bytes calldata) {
        return tbs[word >> 128:(word >> 128) + uint128(word)];
    }
}
