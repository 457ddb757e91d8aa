// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {NitroEnclaveVerifier, VerifierJournal, ZkCoProcessorType} from "./NitroEnclaveVerifier.sol";

/// DEV STAND-IN for a ZK verifier of attestations: it believes one key, that of the devnet's
/// registrar, which verifies the document and its certificate chain off chain and signs the result.
contract DevAttestationVerifier is NitroEnclaveVerifier {
    address public immutable ATTESTER;

    error AttestationVerificationFailed();

    constructor(address attester) {
        ATTESTER = attester;
    }

    /// @param proofBytes r(32) | s(32) | v(1, 27 or 28) over keccak256(this contract(20) | output)
    function verify(bytes calldata output, ZkCoProcessorType, bytes calldata proofBytes)
        external
        view
        override
        returns (VerifierJournal memory)
    {
        if (proofBytes.length != 65) revert AttestationVerificationFailed();
        bytes32 digest = keccak256(abi.encodePacked(address(this), output));
        address attester = ecrecover(digest, uint8(proofBytes[64]), bytes32(proofBytes[:32]), bytes32(proofBytes[32:64]));
        if (attester == address(0) || attester != ATTESTER) revert AttestationVerificationFailed();
        return abi.decode(output, (VerifierJournal));
    }
}
