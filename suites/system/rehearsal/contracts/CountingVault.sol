// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Breaks in seven ways when blocks come ten times as often: six take a count of blocks for a time, one a second
/// for a block.
contract CountingVault {
    uint256 constant LOCK = 7200;
    uint256 constant PERIOD = 50;
    uint256 immutable start = block.number;
    uint256 public rate = 3;
    uint256 public cooldown = 300;

    struct Stake {
        uint128 amount;
        uint48 unlocksAt;
        uint48 since;
    }
    mapping(address => Stake) public stakes;
    mapping(uint256 => uint256) public spent;
    uint256 public reward;
    bytes32 public seed;
    mapping(address => mapping(uint64 => uint256)) public prices;

    function stake() external payable {
        stakes[msg.sender] = Stake(uint128(msg.value), uint48(block.number + LOCK), uint48(block.number)); // 1: kept
    }

    function isUnlocked(address who) external view returns (bool) {
        return block.number >= stakes[who].unlocksAt; // 2: compared
    }

    function claim() external {
        Stake storage mine = stakes[msg.sender];
        require(block.number - mine.since < cooldown, "too late"); // 2: compared
        reward += (block.number - mine.since) * rate; // 3: a rate
    }

    function spend(uint256 amount) external {
        spent[(block.number - start) / PERIOD] += amount; // 4: periods
    }

    function draw() external {
        seed = blockhash(block.number - 3); // 5: hashes
    }

    function buy(uint256 expirationBlock) external payable {
        require(block.number <= expirationBlock, "expired"); // 6: a deadline
    }

    function observe(uint256 price) external {
        prices[msg.sender][uint64(block.timestamp)] = price; // 7: a second for a block
    }
}
