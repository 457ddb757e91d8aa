// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AttestationVerifier, AttestedEnclave} from "./AttestationVerifier.sol";

/// DEV STAND-IN for a ZK verifier of attestations: it believes one key, that of the devnet's
/// registrar, which verifies the document and its certificate chain off chain and signs the result.
contract DevAttestationVerifier is AttestationVerifier {
    address public immutable ATTESTER;

    constructor(address attester) {
        ATTESTER = attester;
    }

    /// @param proof r(32) | s(32) | v(1, 27 or 28) over keccak256(this contract(20) | output)
    function verify(bytes calldata output, bytes calldata proof)
        external
        view
        override
        returns (AttestedEnclave memory)
    {
        if (proof.length != 65) revert AttestationVerificationFailed();
        bytes32 digest = keccak256(abi.encodePacked(address(this), output));
        address attester = ecrecover(digest, uint8(proof[64]), bytes32(proof[:32]), bytes32(proof[32:64]));
        if (attester == address(0) || attester != ATTESTER) revert AttestationVerificationFailed();
        return abi.decode(output, (AttestedEnclave));
    }
}
