// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Caller} from "./Caller.sol";
import {CrossDomainMessenger} from "./CrossDomainMessenger.sol";

/// EIP-721 tokens of L1 to L2 and back: a token waits in the bridge of L1 while another one stands for
/// it on L2. Tokens that were made on L2 do not travel.
abstract contract ERC721Bridge {
    event ERC721BridgeInitiated(
        address indexed localToken,
        address indexed remoteToken,
        address indexed from,
        address to,
        uint256 tokenId,
        bytes extraData
    );
    event ERC721BridgeFinalized(
        address indexed localToken,
        address indexed remoteToken,
        address indexed from,
        address to,
        uint256 tokenId,
        bytes extraData
    );

    function messenger() public view virtual returns (CrossDomainMessenger);

    function otherBridge() public view virtual returns (ERC721Bridge);

    function paused() public view virtual returns (bool);

    /// The older names.
    function MESSENGER() external view returns (CrossDomainMessenger) {
        return messenger();
    }

    function OTHER_BRIDGE() external view returns (ERC721Bridge) {
        return otherBridge();
    }

    /// Without a receiver it is the caller, and on the other layer nobody may have a contract's address.
    function bridgeERC721(
        address localToken,
        address remoteToken,
        uint256 tokenId,
        uint32 minGasLimit,
        bytes calldata extraData
    ) external {
        require(Caller.isEOA(), "ERC721Bridge: account is not externally owned");
        _bridge(localToken, remoteToken, msg.sender, tokenId, minGasLimit, extraData);
    }

    function bridgeERC721To(
        address localToken,
        address remoteToken,
        address to,
        uint256 tokenId,
        uint32 minGasLimit,
        bytes calldata extraData
    ) external {
        require(to != address(0), "ERC721Bridge: nft recipient cannot be address(0)");
        _bridge(localToken, remoteToken, to, tokenId, minGasLimit, extraData);
    }

    /// Brought by the messenger, from the other bridge alone.
    function finalizeBridgeERC721(
        address localToken,
        address remoteToken,
        address from,
        address to,
        uint256 tokenId,
        bytes calldata extraData
    ) external {
        require(
            msg.sender == address(messenger()) && messenger().xDomainMessageSender() == address(otherBridge()),
            "ERC721Bridge: function can only be called from the other bridge"
        );
        require(!paused(), "ERC721Bridge: paused");
        require(localToken != address(this), "ERC721Bridge: local token cannot be self");
        _arrive(localToken, remoteToken, to, tokenId);
        emit ERC721BridgeFinalized(localToken, remoteToken, from, to, tokenId, extraData);
    }

    function _bridge(
        address localToken,
        address remoteToken,
        address to,
        uint256 tokenId,
        uint32 minGasLimit,
        bytes calldata extraData
    ) private {
        require(remoteToken != address(0), "ERC721Bridge: remote token cannot be address(0)");
        _leave(localToken, remoteToken, tokenId);
        emit ERC721BridgeInitiated(localToken, remoteToken, msg.sender, to, tokenId, extraData);
        messenger().sendMessage(
            address(otherBridge()),
            // The other bridge's local token is our remote one.
            abi.encodeCall(this.finalizeBridgeERC721, (remoteToken, localToken, msg.sender, to, tokenId, extraData)),
            minGasLimit
        );
    }

    /// Takes the token from the caller.
    function _leave(address localToken, address remoteToken, uint256 tokenId) internal virtual;

    /// Gives the token to its receiver.
    function _arrive(address localToken, address remoteToken, address to, uint256 tokenId) internal virtual;
}
