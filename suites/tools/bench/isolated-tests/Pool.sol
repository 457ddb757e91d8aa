// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Swaps one token for another so that the product of what it has of both never shrinks; no fee.
contract Pool {
    IToken public immutable first;
    IToken public immutable second;

    constructor(IToken first_, IToken second_) {
        first = first_;
        second = second_;
    }

    function swap(uint256 paid) external returns (uint256 bought) {
        bought = second.balanceOf(address(this)) * paid / (first.balanceOf(address(this)) + paid);
        first.transferFrom(msg.sender, address(this), paid);
        second.transfer(msg.sender, bought);
    }
}
