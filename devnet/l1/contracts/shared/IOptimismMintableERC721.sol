// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A token that stands for one of another chain: only the bridge makes and takes it. The interface's id
/// (EIP-165) is made of these eight functions.
interface IOptimismMintableERC721 {
    function safeMint(address to, uint256 tokenId) external;
    function burn(address from, uint256 tokenId) external;
    function REMOTE_CHAIN_ID() external view returns (uint256);
    function REMOTE_TOKEN() external view returns (address);
    function BRIDGE() external view returns (address);
    function remoteChainId() external view returns (uint256);
    function remoteToken() external view returns (address);
    function bridge() external view returns (address);
}
