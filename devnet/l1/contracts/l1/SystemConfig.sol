// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "../shared/Ownable.sol";

/// The L2 parameters that L1 rules; derivation follows the ConfigUpdate events (OP spec:
/// system-config, and its Ecotone, Holocene, Isthmus and Jovian pages).
contract SystemConfig is Ownable {
    enum UpdateType {
        BATCHER,
        FEE_SCALARS,
        GAS_LIMIT,
        UNSAFE_BLOCK_SIGNER,
        EIP_1559_PARAMS,
        OPERATOR_FEE_PARAMS,
        MIN_BASE_FEE,
        DA_FOOTPRINT_GAS_SCALAR
    }

    struct Genesis {
        address batcher;
        uint32 basefeeScalar;
        uint32 blobbasefeeScalar;
        uint64 gasLimit;
        uint32 eip1559Denominator;
        uint32 eip1559Elasticity;
        uint32 operatorFeeScalar;
        uint64 operatorFeeConstant;
        uint64 minBaseFee;
        uint16 daFootprintGasScalar;
        address unsafeBlockSigner;
    }

    uint256 public constant VERSION = 0;
    uint64 private constant MINIMUM_GAS_LIMIT = 21_000_000;
    uint64 private constant MAXIMUM_GAS_LIMIT = 500_000_000;

    address public immutable optimismPortal;
    address public immutable disputeGameFactory;
    address public immutable batchInbox;
    uint256 public immutable l2ChainId;
    uint256 public immutable startBlock;

    bytes32 public batcherHash;
    uint256 public overhead;
    /// Version 1: 01 | zeros | blob base fee scalar (4) | base fee scalar (4).
    uint256 public scalar;
    uint32 public basefeeScalar;
    uint32 public blobbasefeeScalar;
    uint64 public gasLimit;
    uint32 public eip1559Denominator;
    uint32 public eip1559Elasticity;
    uint32 public operatorFeeScalar;
    uint64 public operatorFeeConstant;
    uint64 public minBaseFee;
    uint16 public daFootprintGasScalar;
    address public unsafeBlockSigner;
    bool private isPaused;

    event ConfigUpdate(uint256 indexed version, UpdateType indexed updateType, bytes data);

    constructor(
        address owner_,
        address portal,
        address factory,
        address inbox,
        uint256 chainId,
        Genesis memory genesis
    ) Ownable(owner_) {
        optimismPortal = portal;
        disputeGameFactory = factory;
        batchInbox = inbox;
        l2ChainId = chainId;
        startBlock = block.number;
        _setBatcherHash(bytes32(uint256(uint160(genesis.batcher))));
        _setGasConfigEcotone(genesis.basefeeScalar, genesis.blobbasefeeScalar);
        _setGasLimit(genesis.gasLimit);
        _setUnsafeBlockSigner(genesis.unsafeBlockSigner);
        // The rest is part of the rollup configuration at genesis and says nothing here until it
        // changes: an event would oblige forks that do not know it.
        eip1559Denominator = genesis.eip1559Denominator;
        eip1559Elasticity = genesis.eip1559Elasticity;
        operatorFeeScalar = genesis.operatorFeeScalar;
        operatorFeeConstant = genesis.operatorFeeConstant;
        minBaseFee = genesis.minBaseFee;
        daFootprintGasScalar = genesis.daFootprintGasScalar;
    }

    function setBatcherHash(address batcher) external onlyOwner {
        _setBatcherHash(bytes32(uint256(uint160(batcher))));
    }

    function setBatcherHash(bytes32 batcherHash_) external onlyOwner {
        _setBatcherHash(batcherHash_);
    }

    function setGasConfigEcotone(uint32 basefeeScalar_, uint32 blobbasefeeScalar_) external onlyOwner {
        _setGasConfigEcotone(basefeeScalar_, blobbasefeeScalar_);
    }

    function setGasLimit(uint64 gasLimit_) external onlyOwner {
        _setGasLimit(gasLimit_);
    }

    function setUnsafeBlockSigner(address signer) external onlyOwner {
        _setUnsafeBlockSigner(signer);
    }

    function setEIP1559Params(uint32 denominator, uint32 elasticity) external onlyOwner {
        require(denominator >= 1, "SystemConfig: denominator must be >= 1");
        require(elasticity >= 1, "SystemConfig: elasticity must be >= 1");
        eip1559Denominator = denominator;
        eip1559Elasticity = elasticity;
        _announce(UpdateType.EIP_1559_PARAMS, abi.encode((uint256(denominator) << 32) | elasticity));
    }

    function setOperatorFeeScalars(uint32 operatorFeeScalar_, uint64 operatorFeeConstant_) external onlyOwner {
        operatorFeeScalar = operatorFeeScalar_;
        operatorFeeConstant = operatorFeeConstant_;
        _announce(
            UpdateType.OPERATOR_FEE_PARAMS, abi.encode((uint256(operatorFeeScalar_) << 64) | operatorFeeConstant_)
        );
    }

    function setMinBaseFee(uint64 minBaseFee_) external onlyOwner {
        minBaseFee = minBaseFee_;
        _announce(UpdateType.MIN_BASE_FEE, abi.encode(minBaseFee_));
    }

    function setDAFootprintGasScalar(uint16 daFootprintGasScalar_) external onlyOwner {
        daFootprintGasScalar = daFootprintGasScalar_;
        _announce(UpdateType.DA_FOOTPRINT_GAS_SCALAR, abi.encode(daFootprintGasScalar_));
    }

    /// Halts the proof system; the owner is the devnet's guardian.
    function setPaused(bool paused_) external onlyOwner {
        isPaused = paused_;
    }

    function paused() external view returns (bool) {
        return isPaused;
    }

    function guardian() external view returns (address) {
        return owner;
    }

    /// On the devnet it is this contract itself: what a SuperchainConfig is asked for, it answers.
    function superchainConfig() external view returns (address) {
        return address(this);
    }

    /// As a SuperchainConfig; there is one pause for everything.
    function paused(address) external view returns (bool) {
        return isPaused;
    }

    function version() external pure returns (string memory) {
        return "3.13.2";
    }

    function minimumGasLimit() public pure returns (uint64) {
        return MINIMUM_GAS_LIMIT;
    }

    function maximumGasLimit() public pure returns (uint64) {
        return MAXIMUM_GAS_LIMIT;
    }

    function _setBatcherHash(bytes32 batcherHash_) private {
        batcherHash = batcherHash_;
        _announce(UpdateType.BATCHER, abi.encode(batcherHash_));
    }

    function _setGasConfigEcotone(uint32 basefeeScalar_, uint32 blobbasefeeScalar_) private {
        basefeeScalar = basefeeScalar_;
        blobbasefeeScalar = blobbasefeeScalar_;
        scalar = (uint256(1) << 248) | (uint256(blobbasefeeScalar_) << 32) | basefeeScalar_;
        _announce(UpdateType.FEE_SCALARS, abi.encode(overhead, scalar));
    }

    function _setGasLimit(uint64 gasLimit_) private {
        require(gasLimit_ >= minimumGasLimit(), "SystemConfig: gas limit too low");
        require(gasLimit_ <= maximumGasLimit(), "SystemConfig: gas limit too high");
        gasLimit = gasLimit_;
        _announce(UpdateType.GAS_LIMIT, abi.encode(gasLimit_));
    }

    function _setUnsafeBlockSigner(address signer) private {
        unsafeBlockSigner = signer;
        _announce(UpdateType.UNSAFE_BLOCK_SIGNER, abi.encode(signer));
    }

    function _announce(UpdateType updateType, bytes memory data) private {
        emit ConfigUpdate(VERSION, updateType, data);
    }
}
