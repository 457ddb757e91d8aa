// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Means the same however often blocks come: times are seconds, block numbers only put things in order.
contract SoundVault {
    uint256 constant LOCK = 4 hours;
    uint256 public rate = 3;

    struct Stake {
        uint128 amount;
        uint64 unlocksAt;
        uint64 changedIn;
    }
    mapping(address => Stake) public stakes;
    uint256[] public changes;
    uint256 public reward;
    bytes32 public seed;
    mapping(uint256 => uint256) public soldOn;
    mapping(uint256 => uint256) public priceIn;

    function stake() external payable {
        require(stakes[msg.sender].changedIn < block.number, "twice in a block");
        stakes[msg.sender] = Stake(uint128(msg.value), uint64(block.timestamp + LOCK), uint64(block.number));
        changes.push(block.number);
    }

    function isUnlocked(address who) external view returns (bool) {
        return block.timestamp >= stakes[who].unlocksAt;
    }

    function changesUntil(uint256 number) external view returns (uint256 count) {
        require(number < block.number, "not yet");
        while (count < changes.length && changes[count] <= number) count++;
    }

    function claim() external {
        reward += block.timestamp * rate;
        seed = blockhash(block.number - 1);
    }

    function buy(uint256 deadline) external payable {
        require(block.timestamp <= deadline, "expired");
        soldOn[block.timestamp / 1 days] += msg.value;
    }

    function observe(uint256 price) external {
        priceIn[block.number] = price;
    }
}
