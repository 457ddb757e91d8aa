// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Erc20} from "../shared/Erc20.sol";

/// A token that anyone may mint: a dev convenience, deployed by whoever needs one.
contract TestToken is Erc20 {
    string public override name;
    string public override symbol;
    uint256 public override totalSupply;

    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        mint(msg.sender, supply);
    }

    function mint(address to, uint256 value) public {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }
}
