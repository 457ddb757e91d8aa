// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FastLz} from "./FastLz.sol";
import {L1Block} from "./L1Block.sol";

/// What a transaction pays beside its L2 gas (predeploy 0x42..0f; OP spec: fjord/predeploys,
/// isthmus/predeploys and jovian/predeploys).
contract GasPriceOracle {
    uint256 public constant DECIMALS = 6;
    L1Block private constant L1_BLOCK = L1Block(0x4200000000000000000000000000000000000015);

    /// Linear regression of Brotli over FastLZ sizes, scaled by 1e6 (OP spec: fjord/exec-engine).
    int256 private constant COST_INTERCEPT = -42_585_600;
    int256 private constant COST_FASTLZ_COEFFICIENT = 836_500;
    int256 private constant MIN_TRANSACTION_SIZE = 100;
    /// A signature's bytes do not compress; the fee is asked for an unsigned transaction.
    uint256 private constant SIGNATURE_SIZE = 68;

    // slot 0
    bool public isEcotone;
    bool public isFjord;
    bool public isIsthmus;
    bool public isJovian;

    error NotDepositor();
    error AlreadyActive();

    /// @param data the unsigned transaction in EIP-2718 form
    function getL1Fee(bytes memory data) external view returns (uint256) {
        return _l1Cost(FastLz.compressedLength(data) + SIGNATURE_SIZE);
    }

    /// The fee of the worst compressible transaction of that size.
    function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256) {
        uint256 size = unsignedTxSize + SIGNATURE_SIZE;
        return _l1Cost(size + size / 255 + 16);
    }

    function getL1GasUsed(bytes memory data) external pure returns (uint256) {
        return (_estimatedSize(FastLz.compressedLength(data) + SIGNATURE_SIZE) * 16) / 10 ** DECIMALS;
    }

    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        if (!isIsthmus) return 0;
        uint256 scaled = gasUsed * L1_BLOCK.operatorFeeScalar();
        return (isJovian ? scaled * 100 : scaled / 10 ** DECIMALS) + L1_BLOCK.operatorFeeConstant();
    }

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    function l1BaseFee() public view returns (uint256) {
        return L1_BLOCK.basefee();
    }

    function blobBaseFee() public view returns (uint256) {
        return L1_BLOCK.blobBaseFee();
    }

    function baseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.baseFeeScalar();
    }

    function blobBaseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.blobBaseFeeScalar();
    }

    function setIsthmus() external {
        _activate(isIsthmus);
        isIsthmus = true;
    }

    function setJovian() external {
        _activate(isJovian);
        isJovian = true;
    }

    function _activate(bool active) private view {
        if (msg.sender != L1_BLOCK.DEPOSITOR_ACCOUNT()) revert NotDepositor();
        if (active) revert AlreadyActive();
    }

    function _l1Cost(uint256 fastLzSize) private view returns (uint256) {
        uint256 scaledFee = l1BaseFee() * 16 * baseFeeScalar() + blobBaseFee() * blobBaseFeeScalar();
        return (_estimatedSize(fastLzSize) * scaledFee) / 10 ** (2 * DECIMALS);
    }

    /// Bytes, scaled by 1e6.
    function _estimatedSize(uint256 fastLzSize) private pure returns (uint256) {
        int256 size = COST_INTERCEPT + COST_FASTLZ_COEFFICIENT * int256(fastLzSize);
        int256 minimum = MIN_TRANSACTION_SIZE * int256(10 ** DECIMALS);
        return uint256(size < minimum ? minimum : size);
    }
}
