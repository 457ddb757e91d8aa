// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Erc721} from "../shared/Erc721.sol";
import {IOptimismMintableERC721} from "../shared/IOptimismMintableERC721.sol";

/// Stands on L2 for an EIP-721 token of L1.
contract OptimismMintableERC721 is Erc721, IOptimismMintableERC721 {
    address public immutable override BRIDGE;
    uint256 public immutable override REMOTE_CHAIN_ID;
    address public immutable override REMOTE_TOKEN;

    /// Where a token's URI is asked for: a call of the token on its own chain (EIP-681).
    string public baseTokenURI;

    event Mint(address indexed account, uint256 tokenId);
    event Burn(address indexed account, uint256 tokenId);

    modifier onlyBridge() {
        require(msg.sender == BRIDGE, "OptimismMintableERC721: only bridge can call this function");
        _;
    }

    constructor(
        address bridge_,
        uint256 chainId,
        address token,
        string memory name_,
        string memory symbol_
    ) Erc721(name_, symbol_) {
        require(bridge_ != address(0), "OptimismMintableERC721: bridge cannot be address(0)");
        require(chainId != 0, "OptimismMintableERC721: remote chain id cannot be zero");
        require(token != address(0), "OptimismMintableERC721: remote token cannot be address(0)");
        BRIDGE = bridge_;
        REMOTE_CHAIN_ID = chainId;
        REMOTE_TOKEN = token;
        baseTokenURI = string.concat("ethereum:", _hex(token), "@", _decimal(chainId), "/tokenURI?uint256=");
    }

    function safeMint(address to, uint256 tokenId) external override onlyBridge {
        _safeMint(to, tokenId);
        emit Mint(to, tokenId);
    }

    function burn(address from, uint256 tokenId) external override onlyBridge {
        _burn(tokenId);
        emit Burn(from, tokenId);
    }

    function bridge() external view override returns (address) {
        return BRIDGE;
    }

    function remoteChainId() external view override returns (uint256) {
        return REMOTE_CHAIN_ID;
    }

    function remoteToken() external view override returns (address) {
        return REMOTE_TOKEN;
    }

    function tokenURI(uint256 tokenId) external view override returns (string memory) {
        ownerOf(tokenId);
        return string.concat(baseTokenURI, _decimal(tokenId));
    }

    function version() external pure returns (string memory) {
        return "1.3.2";
    }

    /// EIP-165.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IOptimismMintableERC721).interfaceId || super.supportsInterface(interfaceId);
    }

    function _hex(address account) private pure returns (string memory) {
        bytes memory text = "0x0000000000000000000000000000000000000000";
        uint160 rest = uint160(account);
        for (uint256 at = 41; at > 1; --at) {
            text[at] = bytes16("0123456789abcdef")[rest & 15];
            rest >>= 4;
        }
        return string(text);
    }

    function _decimal(uint256 value) private pure returns (string memory) {
        uint256 digits = 1;
        for (uint256 rest = value; rest > 9; rest /= 10) ++digits;
        bytes memory text = new bytes(digits);
        for (uint256 rest = value; digits > 0; rest /= 10) text[--digits] = bytes1(uint8(48 + rest % 10));
        return string(text);
    }
}
