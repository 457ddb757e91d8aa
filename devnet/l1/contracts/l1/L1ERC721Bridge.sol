// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {ERC721Bridge} from "../shared/ERC721Bridge.sol";
import {Erc721} from "../shared/Erc721.sol";
import {SystemConfig} from "./SystemConfig.sol";

/// The L1 end: keeps the tokens while they are on L2.
contract L1ERC721Bridge is ERC721Bridge {
    CrossDomainMessenger private immutable messenger_;
    SystemConfig public immutable systemConfig;

    /// Token of L1 → token of L2 → token id → whether it waits here.
    mapping(address => mapping(address => mapping(uint256 => bool))) public deposits;

    constructor(CrossDomainMessenger l1Messenger, SystemConfig config) {
        messenger_ = l1Messenger;
        systemConfig = config;
    }

    function messenger() public view override returns (CrossDomainMessenger) {
        return messenger_;
    }

    function otherBridge() public pure override returns (ERC721Bridge) {
        return ERC721Bridge(0x4200000000000000000000000000000000000014);
    }

    function paused() public view override returns (bool) {
        return systemConfig.paused();
    }

    function version() external pure returns (string memory) {
        return "2.7.0";
    }

    function _leave(address localToken, address remoteToken, uint256 tokenId) internal override {
        deposits[localToken][remoteToken][tokenId] = true;
        Erc721(localToken).transferFrom(msg.sender, address(this), tokenId);
    }

    function _arrive(address localToken, address remoteToken, address to, uint256 tokenId) internal override {
        require(
            deposits[localToken][remoteToken][tokenId],
            "L1ERC721Bridge: Token ID is not escrowed in the L1 Bridge"
        );
        deposits[localToken][remoteToken][tokenId] = false;
        Erc721(localToken).safeTransferFrom(address(this), to, tokenId);
    }
}
