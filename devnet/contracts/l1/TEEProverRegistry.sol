// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AttestationVerifier, AttestedEnclave} from "./AttestationVerifier.sol";
import {DisputeGameFactory} from "./DisputeGameFactory.sol";
import {OwnableManaged} from "./OwnableManaged.sol";

/// Which enclave keys may sign, for which image, and who may propose.
contract TEEProverRegistry is OwnableManaged {
    /// Seconds an attestation stays good for registration.
    uint256 public constant MAX_AGE = 60 minutes;

    uint256 private constant PUBLIC_KEY_SIZE = 65;
    uint256 private constant PCR_SIZE = 48;

    DisputeGameFactory public immutable DISPUTE_GAME_FACTORY;
    AttestationVerifier public immutable ATTESTATION_VERIFIER;

    uint32 public gameType;
    mapping(address => bool) public isRegisteredSigner;
    /// keccak256 of the PCR0 that a signer was registered with.
    mapping(address => bytes32) public signerImageHash;
    mapping(address => bool) public isValidProposer;

    bool private initialized;
    address[] private signers;
    /// Index in `signers`, plus one.
    mapping(address => uint256) private positionOf;

    event SignerRegistered(address indexed signer);
    event SignerDeregistered(address indexed signer);
    event ProposerSet(address indexed proposer, bool isValid);
    event GameTypeUpdated(uint32 gameType);

    error AlreadyInitialized();
    error AttestationTooOld();
    error AttestationVerificationFailed();
    error DisputeGameFactoryNotSet();
    error ImageHashReadFailed();
    error InvalidGameType();
    error InvalidPublicKey();
    error PCR0NotFound();

    constructor(AttestationVerifier attestationVerifier, DisputeGameFactory factory) {
        if (address(factory) == address(0)) revert DisputeGameFactoryNotSet();
        ATTESTATION_VERIFIER = attestationVerifier;
        DISPUTE_GAME_FACTORY = factory;
    }

    /// Once; zero addresses among the proposers are skipped.
    function initialize(address owner_, address manager_, address[] calldata proposers, uint32 gameType_) external {
        if (initialized) revert AlreadyInitialized();
        initialized = true;
        _setOwner(owner_);
        _setManager(manager_);
        gameType = gameType_;
        for (uint256 i = 0; i < proposers.length; ++i) {
            if (proposers[i] != address(0)) _setProposer(proposers[i], true);
        }
    }

    function setProposer(address proposer, bool isValid) external onlyOwner {
        _setProposer(proposer, isValid);
    }

    /// The new type must have an implementation with an image hash.
    function setGameType(uint32 gameType_) external onlyOwner {
        if (_imageHash(gameType_) == 0) revert InvalidGameType();
        gameType = gameType_;
        emit GameTypeUpdated(gameType_);
    }

    /// Registers the key of a fresh attestation under the image that was attested. Whether that image
    /// is the wanted one shows when the signer is read.
    /// @param output what the attestation says, see AttestationVerifier
    /// @param proof that the attestation was verified
    function registerSigner(bytes calldata output, bytes calldata proof) external onlyOwnerOrManager {
        AttestedEnclave memory enclave = ATTESTATION_VERIFIER.verify(output, proof);
        if (enclave.timestamp / 1000 + MAX_AGE <= block.timestamp) revert AttestationTooOld();
        _register(_addressOf(enclave.publicKey), keccak256(_pcr0(enclave)));
    }

    /// Development only: registers a signer without an attestation.
    function addDevSigner(address signer, bytes32 imageHash) external onlyOwner {
        _register(signer, imageHash);
    }

    function deregisterSigner(address signer) external onlyOwnerOrManager {
        uint256 position = positionOf[signer];
        if (position != 0) {
            address last = signers[signers.length - 1];
            signers[position - 1] = last;
            positionOf[last] = position;
            signers.pop();
            delete positionOf[signer];
        }
        delete isRegisteredSigner[signer];
        delete signerImageHash[signer];
        emit SignerDeregistered(signer);
    }

    /// Registered, and with the image that the current game implementation wants.
    function isValidSigner(address signer) external view returns (bool) {
        return isRegisteredSigner[signer] && signerImageHash[signer] == _imageHash(gameType);
    }

    function getRegisteredSigners() external view returns (address[] memory) {
        return signers;
    }

    function getExpectedImageHash() external view returns (bytes32) {
        return _imageHash(gameType);
    }

    /// Registering again overwrites the image hash.
    function _register(address signer, bytes32 imageHash) private {
        if (!isRegisteredSigner[signer]) {
            signers.push(signer);
            positionOf[signer] = signers.length;
        }
        isRegisteredSigner[signer] = true;
        signerImageHash[signer] = imageHash;
        emit SignerRegistered(signer);
    }

    /// @param publicKey uncompressed: 04, x, y
    function _addressOf(bytes memory publicKey) private pure returns (address) {
        if (publicKey.length != PUBLIC_KEY_SIZE || publicKey[0] != 0x04) revert InvalidPublicKey();
        bytes32 hash;
        assembly {
            hash := keccak256(add(publicKey, 33), 64)
        }
        return address(uint160(uint256(hash)));
    }

    function _pcr0(AttestedEnclave memory enclave) private pure returns (bytes memory) {
        for (uint256 i = 0; i < enclave.pcrs.length; ++i) {
            if (enclave.pcrs[i].index != 0) continue;
            if (enclave.pcrs[i].value.length != PCR_SIZE) break;
            return enclave.pcrs[i].value;
        }
        revert PCR0NotFound();
    }

    function _setProposer(address proposer, bool isValid) private {
        isValidProposer[proposer] = isValid;
        emit ProposerSet(proposer, isValid);
    }

    function _imageHash(uint32 type_) private view returns (bytes32) {
        address implementation = address(DISPUTE_GAME_FACTORY.gameImpls(type_));
        (bool success, bytes memory data) = implementation.staticcall(abi.encodeWithSignature("TEE_IMAGE_HASH()"));
        if (!success || data.length != 32) revert ImageHashReadFailed();
        return abi.decode(data, (bytes32));
    }
}
