// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OptimismMintableERC721} from "./OptimismMintableERC721.sol";

/// Predeploy 0x42..17: makes the EIP-721 tokens that stand on L2 for those of L1.
contract OptimismMintableERC721Factory {
    address public constant BRIDGE = 0x4200000000000000000000000000000000000014;

    /// L1's; set by the genesis storage.
    uint256 public remoteChainID;
    mapping(address => bool) public isOptimismMintableERC721;

    event OptimismMintableERC721Created(
        address indexed localToken, address indexed remoteToken, address deployer
    );

    /// The same token cannot be made twice.
    function createOptimismMintableERC721(address remoteToken, string memory name, string memory symbol)
        external
        returns (address token)
    {
        require(
            remoteToken != address(0), "OptimismMintableERC721Factory: L1 token address cannot be address(0)"
        );
        bytes32 salt = keccak256(abi.encode(remoteToken, name, symbol));
        token = address(new OptimismMintableERC721{salt: salt}(BRIDGE, remoteChainID, remoteToken, name, symbol));
        isOptimismMintableERC721[token] = true;
        emit OptimismMintableERC721Created(token, remoteToken, msg.sender);
    }

    function bridge() external pure returns (address) {
        return BRIDGE;
    }

    /// The older name.
    function REMOTE_CHAIN_ID() external view returns (uint256) {
        return remoteChainID;
    }

    function version() external pure returns (string memory) {
        return "1.4.1";
    }
}
