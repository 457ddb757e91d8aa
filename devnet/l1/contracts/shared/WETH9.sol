// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Erc20} from "./Erc20.sol";

/// Wrapped ether (on L2 predeploy 0x42..06).
contract WETH9 is Erc20 {
    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) public virtual {
        balanceOf[msg.sender] -= wad;
        emit Withdrawal(msg.sender, wad);
        (bool sent,) = msg.sender.call{value: wad}("");
        require(sent, "WETH9: ETH transfer failed");
    }

    function totalSupply() external view override returns (uint256) {
        return address(this).balance;
    }

    function name() external pure override returns (string memory) {
        return "Wrapped Ether";
    }

    function symbol() external pure override returns (string memory) {
        return "WETH";
    }
}
