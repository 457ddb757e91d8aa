// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Where in the signed bytes of an attestation its parts are: each word is start << 128 | length.
struct Ptrs {
    uint256 moduleID;
    /// Milliseconds since the Unix epoch.
    uint64 timestamp;
    uint256 digest;
    /// By index, as far as there are any.
    uint256[] pcrs;
    uint256 cert;
    uint256[] cabundle;
    uint256 publicKey;
    uint256 userData;
    uint256 nonce;
}

/// Verifies an attestation of Nitro on chain: its P-384 signature, with inverses that were reckoned off
/// chain, and certificates that it was shown before.
abstract contract NitroValidator {
    /// @param attestationTbs the COSE Sig_structure: what is signed
    /// @param signature P-384, r(48) | s(48)
    function validateAttestationWithHints(
        bytes calldata attestationTbs,
        bytes calldata signature,
        bytes calldata hints
    ) external virtual returns (Ptrs memory);
}
