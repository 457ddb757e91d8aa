// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {TEEProverRegistry} from "./TEEProverRegistry.sol";
import {Verifier} from "./Verifier.sol";

/// Accepts what a registered enclave signed for an allowed proposer.
contract TEEVerifier is Verifier {
    uint256 private constant PROOF_SIZE = 20 + 65;
    /// Half the group order: a higher s is the same signature in its malleable form.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    TEEProverRegistry public immutable TEE_PROVER_REGISTRY;

    error ImageIdMismatch(bytes32 signerImageHash, bytes32 claimedImageId);
    error InvalidProofFormat();
    error InvalidProposer(address proposer);
    error InvalidSignature();
    error InvalidSigner(address signer);

    constructor(TEEProverRegistry registry, AnchorStateRegistry anchors) Verifier(anchors) {
        TEE_PROVER_REGISTRY = registry;
    }

    /// @param proof proposer(20) | r(32) | s(32) | v(1, 27 or 28); what follows is ignored
    /// @param journal signed as it is, without a prefix
    function verify(bytes calldata proof, bytes32 imageId, bytes32 journal)
        external
        view
        override
        notNullified
        returns (bool)
    {
        if (proof.length < PROOF_SIZE) revert InvalidProofFormat();
        address proposer = address(bytes20(proof[:20]));
        address signer = _recover(journal, proof[20:PROOF_SIZE]);
        if (signer == address(0)) revert InvalidSignature();
        if (!TEE_PROVER_REGISTRY.isValidProposer(proposer)) revert InvalidProposer(proposer);
        if (!TEE_PROVER_REGISTRY.isRegisteredSigner(signer)) revert InvalidSigner(signer);
        bytes32 imageHash = TEE_PROVER_REGISTRY.signerImageHash(signer);
        if (imageHash != imageId) revert ImageIdMismatch(imageHash, imageId);
        return true;
    }

    /// Of the published contract that this one stands for; so in every contract here.
    function version() external pure returns (string memory) {
        return "0.2.0";
    }

    /// The zero address for anything that is not a canonical signature.
    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) return address(0);
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), s);
    }
}
