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

    modifier onlyProxyAdminOwner() {
        require(msg.sender == proxyAdminOwner(), "DelayedWETH: not owner");
        _;
    }

    constructor(SystemConfig systemConfig_, uint256 delaySeconds) {
        systemConfig = systemConfig_;
        delay = delaySeconds;
    }

    /// A call that fits no function is a deposit, as with the first WETH.
    fallback() external payable {
        deposit();
    }

    function unlock(address guy, uint256 wad) external {
        WithdrawalRequest storage request = withdrawals[msg.sender][guy];
        request.timestamp = block.timestamp;
        request.amount += wad;
    }

    /// Sends ether of all holders to the owner, at most what there is: for the worst case.
    function recover(uint256 wad) external onlyProxyAdminOwner {
        uint256 amount = wad < address(this).balance ? wad : address(this).balance;
        (bool sent,) = msg.sender.call{value: amount}("");
        require(sent, "DelayedWETH: recover failed");
    }

    /// Takes all that a holder has.
    function hold(address guy) external {
        hold(guy, balanceOf[guy]);
    }

    function config() external view returns (address) {
        return systemConfig.superchainConfig();
    }

    function version() external pure returns (string memory) {
        return "1.5.0";
    }

    function hold(address guy, uint256 wad) public onlyProxyAdminOwner {
        allowance[guy][msg.sender] = wad;
        emit Approval(guy, msg.sender, wad);
        transferFrom(guy, msg.sender, wad);
    }

    /// Who may hold and recover: the owner of the devnet's contracts.
    function proxyAdminOwner() public view returns (address) {
        return systemConfig.owner();
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
