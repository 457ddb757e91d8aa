// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The time of the block in milliseconds, since Denim (behind the proxy at 0x42..30). The interface and
/// the place in storage are consensus: clients write it by the second transaction of each block and read
/// the slot (Base's specification of Denim: 200ms blocks).
contract BaseTime {
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;
    uint16 private constant STEP = 200;
    uint16 private constant LAST = 800;

    /// slot 0, the two low bytes: milliseconds within the second of block.timestamp
    uint16 public timestampMillisPart;

    error BaseTime_NotDepositor();
    error BaseTime_InvalidTimestampMillisPart();

    function version() external pure returns (string memory) {
        return "1.0.0";
    }

    function setTimestampMillisPart(uint16 part) external {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert BaseTime_NotDepositor();
        if (part > LAST || part % STEP != 0) revert BaseTime_InvalidTimestampMillisPart();
        timestampMillisPart = part;
    }

    function timestampMs() external view returns (uint64) {
        return uint64(block.timestamp * 1000 + timestampMillisPart);
    }
}
