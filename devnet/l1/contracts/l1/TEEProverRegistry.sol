// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DisputeGameFactory} from "./DisputeGameFactory.sol";
import {
    NitroEnclaveVerifier,
    Pcr,
    VerificationResult,
    VerifierJournal,
    ZkCoProcessorType
} from "./NitroEnclaveVerifier.sol";
import {OwnableManaged} from "./OwnableManaged.sol";

/// Which enclave keys may sign, for which image, and who may propose. CobaltProverRegistry is made of it:
/// what is `virtual` or `internal` for its sake changes no byte of this code.
contract TEEProverRegistry is OwnableManaged {
    /// Seconds an attestation stays good for registration.
    uint256 public constant MAX_AGE = 60 minutes;

    uint256 private constant PUBLIC_KEY_SIZE = 65;

    DisputeGameFactory public immutable DISPUTE_GAME_FACTORY;
    NitroEnclaveVerifier public immutable NITRO_VERIFIER;

    uint32 public gameType;
    mapping(address => bool) public isRegisteredSigner;
    /// keccak256 of the PCR0 that a signer was registered with.
    mapping(address => bytes32) public signerImageHash;
    mapping(address => bool) public isValidProposer;

    /// DEV: images that count beside the one of the current implementation.
    mapping(bytes32 => bool) public isDevImage;

    bool private initialized;
    address[] private signers;
    /// Index in `signers`, plus one.
    mapping(address => uint256) private positionOf;

    event SignerRegistered(address indexed signer);
    event SignerDeregistered(address indexed signer);
    event ProposerSet(address indexed proposer, bool isValid);
    event GameTypeUpdated(uint32 gameType);
    event Initialized(uint8 version);
    event DevImageSet(bytes32 indexed imageHash, bool isActive);

    error AttestationTooOld();
    error AttestationVerificationFailed();
    error DisputeGameFactoryNotSet();
    error ImageHashReadFailed();
    error InvalidGameType();
    error InvalidPublicKey();
    error PCR0NotFound();

    constructor(NitroEnclaveVerifier nitroVerifier, DisputeGameFactory factory) {
        if (address(factory) == address(0)) revert DisputeGameFactoryNotSet();
        NITRO_VERIFIER = nitroVerifier;
        DISPUTE_GAME_FACTORY = factory;
    }

    /// Once; zero addresses among the proposers are skipped.
    function initialize(address owner_, address manager_, address[] calldata proposers, uint32 gameType_) external {
        require(!initialized, "Initializable: contract is already initialized");
        initialized = true;
        _setOwner(owner_);
        _setManager(manager_);
        gameType = gameType_;
        for (uint256 i = 0; i < proposers.length; ++i) {
            if (proposers[i] != address(0)) _setProposer(proposers[i], true);
        }
        emit Initialized(1);
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
    /// @param output what the attestation says, see NitroEnclaveVerifier
    /// @param proofBytes that the attestation was verified
    function registerSigner(bytes calldata output, bytes calldata proofBytes) external virtual onlyOwnerOrManager {
        VerifierJournal memory enclave = NITRO_VERIFIER.verify(output, ZkCoProcessorType.RiscZero, proofBytes);
        if (enclave.result != VerificationResult.Success) revert AttestationVerificationFailed();
        if (enclave.timestamp / 1000 + MAX_AGE <= block.timestamp) revert AttestationTooOld();
        bytes32 imageHash = _pcr0Hash(enclave.pcrs);
        _register(_addressOf(enclave.publicKey), imageHash);
    }

    /// Development only: registers a signer without an attestation.
    function addDevSigner(address signer, bytes32 imageHash) external onlyOwner {
        _register(signer, imageHash);
    }

    /// Development only: lets another image count beside the current implementation's, for the time
    /// in which an old and a new enclave run side by side (ROT-02). Games are not asked: each still
    /// takes signatures of its own image only.
    function setDevImage(bytes32 imageHash, bool isActive) external onlyOwner {
        isDevImage[imageHash] = isActive;
        emit DevImageSet(imageHash, isActive);
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

    /// Registered, and with the image that the current game implementation wants, or with one that
    /// `setDevImage` put beside it.
    function isValidSigner(address signer) external view returns (bool) {
        bytes32 imageHash = signerImageHash[signer];
        return isRegisteredSigner[signer] && (imageHash == _imageHash(gameType) || isDevImage[imageHash]);
    }

    function version() external pure virtual returns (string memory) {
        return "0.5.0";
    }

    function getRegisteredSigners() external view returns (address[] memory) {
        return signers;
    }

    function getExpectedImageHash() external view returns (bytes32) {
        return _imageHash(gameType);
    }

    /// Registering again overwrites the image hash.
    function _register(address signer, bytes32 imageHash) internal {
        if (!isRegisteredSigner[signer]) {
            signers.push(signer);
            positionOf[signer] = signers.length;
        }
        isRegisteredSigner[signer] = true;
        signerImageHash[signer] = imageHash;
        emit SignerRegistered(signer);
    }

    /// @param publicKey uncompressed: 04, x, y; the first byte is not looked at
    function _addressOf(bytes memory publicKey) internal pure returns (address) {
        if (publicKey.length != PUBLIC_KEY_SIZE) revert InvalidPublicKey();
        bytes32 hash;
        assembly {
            hash := keccak256(add(publicKey, 33), 64)
        }
        return address(uint160(uint256(hash)));
    }

    function _pcr0Hash(Pcr[] memory pcrs) private pure returns (bytes32) {
        for (uint256 i = 0; i < pcrs.length; ++i) {
            if (pcrs[i].index != 0) continue;
            return keccak256(abi.encodePacked(pcrs[i].value.first, pcrs[i].value.second));
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
