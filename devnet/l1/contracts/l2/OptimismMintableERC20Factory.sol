// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OptimismMintableERC20} from "./OptimismMintableERC20.sol";

/// Predeploy 0x42..12: makes the tokens that stand on L2 for those of L1.
contract OptimismMintableERC20Factory {
    address public constant BRIDGE = 0x4200000000000000000000000000000000000010;

    /// Token of L2 → token of L1.
    mapping(address => address) public deployments;

    event StandardL2TokenCreated(address indexed remoteToken, address indexed localToken);
    event OptimismMintableERC20Created(
        address indexed localToken, address indexed remoteToken, address deployer
    );

    function createOptimismMintableERC20(address remoteToken, string memory name, string memory symbol)
        external
        returns (address)
    {
        return createOptimismMintableERC20WithDecimals(remoteToken, name, symbol, 18);
    }

    /// The older name.
    function createStandardL2Token(address remoteToken, string memory name, string memory symbol)
        external
        returns (address)
    {
        return createOptimismMintableERC20WithDecimals(remoteToken, name, symbol, 18);
    }

    /// The same token cannot be made twice.
    function createOptimismMintableERC20WithDecimals(
        address remoteToken,
        string memory name,
        string memory symbol,
        uint8 decimals
    ) public returns (address token) {
        require(remoteToken != address(0), "OptimismMintableERC20Factory: must provide remote token address");
        bytes32 salt = keccak256(abi.encode(remoteToken, name, symbol, decimals));
        token = address(new OptimismMintableERC20{salt: salt}(BRIDGE, remoteToken, name, symbol, decimals));
        deployments[token] = remoteToken;
        emit StandardL2TokenCreated(remoteToken, token);
        emit OptimismMintableERC20Created(token, remoteToken, msg.sender);
    }

    function bridge() external pure returns (address) {
        return BRIDGE;
    }

    function version() external pure returns (string memory) {
        return "1.10.1";
    }
}
