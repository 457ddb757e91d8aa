// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CrossDomainMessenger} from "../shared/CrossDomainMessenger.sol";
import {ERC721Bridge} from "../shared/ERC721Bridge.sol";
import {Erc165} from "../shared/Erc165.sol";
import {Erc721} from "../shared/Erc721.sol";
import {IOptimismMintableERC721} from "../shared/IOptimismMintableERC721.sol";

/// Predeploy 0x42..14: makes and takes the tokens that stand for those of L1.
contract L2ERC721Bridge is ERC721Bridge {
    /// Set by the genesis storage.
    ERC721Bridge private l1Bridge;

    function messenger() public pure override returns (CrossDomainMessenger) {
        return CrossDomainMessenger(0x4200000000000000000000000000000000000007);
    }

    function otherBridge() public view override returns (ERC721Bridge) {
        return l1Bridge;
    }

    /// L1 alone can be paused.
    function paused() public pure override returns (bool) {
        return false;
    }

    function version() external pure returns (string memory) {
        return "1.10.0";
    }

    function _leave(address localToken, address remoteToken, uint256 tokenId) internal override {
        require(
            Erc721(localToken).ownerOf(tokenId) == msg.sender,
            "L2ERC721Bridge: Withdrawal is not being initiated by NFT owner"
        );
        require(
            IOptimismMintableERC721(localToken).remoteToken() == remoteToken,
            "L2ERC721Bridge: remote token does not match given local token"
        );
        IOptimismMintableERC721(localToken).burn(msg.sender, tokenId);
    }

    function _arrive(address localToken, address remoteToken, address to, uint256 tokenId) internal override {
        require(
            Erc165.isSupported(localToken, type(IOptimismMintableERC721).interfaceId),
            "L2ERC721Bridge: local token interface is not compliant"
        );
        require(
            IOptimismMintableERC721(localToken).remoteToken() == remoteToken,
            "L2ERC721Bridge: wrong remote token for Optimism Mintable ERC721 local token"
        );
        IOptimismMintableERC721(localToken).safeMint(to, tokenId);
    }
}
