// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What L2 knows of its L1 origin (predeploy 0x42..15). The storage layout and the packed calldata
/// are consensus: clients read and write them by slot and offset (OP spec: l1-attributes of Ecotone,
/// Isthmus and Jovian).
contract L1Block {
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    // slot 0
    uint64 public number;
    uint64 public timestamp;
    // slot 1
    uint256 public basefee;
    // slot 2
    bytes32 public hash;
    // slot 3
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    // slot 4
    bytes32 public batcherHash;
    // slots 5 and 6: unused since Ecotone
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    // slot 7
    uint256 public blobBaseFee;
    // slot 8
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;
    uint16 public daFootprintGasScalar;

    error NotDepositor();

    function setL1BlockValuesEcotone() external {
        _setEcotone();
    }

    function setL1BlockValuesIsthmus() external {
        _setEcotone();
        uint256 operatorFee = uint256(uint96(bytes12(msg.data[164:176])));
        assembly {
            let rest := and(sload(operatorFeeConstant.slot), not(0xffffffffffffffffffffffff))
            sstore(operatorFeeConstant.slot, or(rest, operatorFee))
        }
    }

    function setL1BlockValuesJovian() external {
        _setEcotone();
        uint256 operatorFee = uint256(uint96(bytes12(msg.data[164:176])));
        uint256 footprintScalar = uint256(uint16(bytes2(msg.data[176:178])));
        assembly {
            sstore(operatorFeeConstant.slot, or(operatorFee, shl(96, footprintScalar)))
        }
    }

    /// The packed fields have the same order in calldata and in their slots, so each group of them is
    /// one store.
    function _setEcotone() private {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert NotDepositor();
        require(msg.data.length >= 164);
        assembly {
            sstore(sequenceNumber.slot, shr(128, calldataload(4)))
            sstore(number.slot, shr(128, calldataload(20)))
            sstore(basefee.slot, calldataload(36))
            sstore(blobBaseFee.slot, calldataload(68))
            sstore(hash.slot, calldataload(100))
            sstore(batcherHash.slot, calldataload(132))
        }
    }
}
