// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

struct Pcr {
    uint64 index;
    bytes value;
}

/// What an attestation document says, once somebody verified its signature and certificates.
struct AttestedEnclave {
    /// Milliseconds since the Unix epoch.
    uint64 timestamp;
    bytes publicKey;
    Pcr[] pcrs;
    bytes nonce;
    string moduleId;
}

/// Decides on chain whether an attestation was verified off chain: a ZK verifier where it is real.
abstract contract AttestationVerifier {
    error AttestationVerificationFailed();

    /// @param output ABI encoding of an AttestedEnclave
    /// @param proof that `output` is what the verification of a document came to
    /// Reverts with AttestationVerificationFailed when it is not.
    function verify(bytes calldata output, bytes calldata proof) external view virtual returns (AttestedEnclave memory);
}
