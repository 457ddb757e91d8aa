// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

enum ZkCoProcessorType {
    Unknown,
    RiscZero,
    Succinct
}

/// Unknown comes first, so that nothing that was never set is a success.
enum VerificationResult {
    Unknown,
    Success,
    RootCertNotTrusted,
    IntermediateCertsNotTrusted,
    InvalidTimestamp
}

/// A measurement of 48 bytes; two words, for Solidity has no type of that size.
struct Bytes48 {
    bytes32 first;
    bytes16 second;
}

struct Pcr {
    uint64 index;
    Bytes48 value;
}

/// What an attestation document says, once somebody verified its signature and certificates.
struct VerifierJournal {
    VerificationResult result;
    uint8 trustedCertsPrefixLen;
    /// Milliseconds since the Unix epoch.
    uint64 timestamp;
    /// Hashes from the root to the leaf, and when each ends (seconds).
    bytes32[] certs;
    uint64[] certExpiries;
    bytes userData;
    bytes nonce;
    bytes publicKey;
    Pcr[] pcrs;
    string moduleId;
}

/// Decides on chain whether an attestation was verified off chain: a ZK verifier where it is real.
abstract contract NitroEnclaveVerifier {
    /// @param output ABI encoding of a VerifierJournal
    /// @param proofBytes that `output` is what the verification of a document came to
    function verify(bytes calldata output, ZkCoProcessorType zkCoprocessor, bytes calldata proofBytes)
        external
        virtual
        returns (VerifierJournal memory);
}
