// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Erc721} from "../shared/Erc721.sol";

/// An EIP-721 token that anyone may mint: a dev convenience, deployed by whoever needs one.
contract TestNft is Erc721 {
    constructor(string memory name_, string memory symbol_) Erc721(name_, symbol_) {}

    function mint(address to, uint256 tokenId) external {
        _safeMint(to, tokenId);
    }

    function tokenURI(uint256) external pure override returns (string memory) {
        return "";
    }
}
