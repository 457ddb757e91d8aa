// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {WETH9} from "../shared/WETH9.sol";
import {SystemConfig} from "./SystemConfig.sol";

/// Holds the bonds of the games; paying out takes an `unlock` and a delay (OP spec:
/// fault-proof/stage-one/bond-incentives, "DelayedWETH").
contract DelayedWETH is WETH9 {
    struct WithdrawalRequest {
        uint256 amount;
        uint256 timestamp;
    }

    SystemConfig public immutable systemConfig;
    /// Seconds.
    uint256 public immutable delay;

    /// By holder (a game) and by the account it pays.
    mapping(address => mapping(address => WithdrawalRequest)) public withdrawals;

    constructor(SystemConfig config, uint256 delaySeconds) {
        systemConfig = config;
        delay = delaySeconds;
    }

    function unlock(address guy, uint256 wad) external {
        WithdrawalRequest storage request = withdrawals[msg.sender][guy];
        request.timestamp = block.timestamp;
        request.amount += wad;
    }

    function withdraw(uint256 wad) public override {
        withdraw(msg.sender, wad);
    }

    function withdraw(address guy, uint256 wad) public {
        require(!systemConfig.paused(), "DelayedWETH: contract is paused");
        WithdrawalRequest storage request = withdrawals[msg.sender][guy];
        require(request.amount >= wad, "DelayedWETH: insufficient unlocked withdrawal");
        require(request.timestamp > 0, "DelayedWETH: withdrawal not unlocked");
        require(request.timestamp + delay <= block.timestamp, "DelayedWETH: withdrawal delay not met");
        request.amount -= wad;
        super.withdraw(wad);
    }
}
