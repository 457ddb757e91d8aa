// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A token that stands for one of the other layer: only the bridge makes and takes it.
interface IOptimismMintableERC20 {
    function remoteToken() external view returns (address);
    function bridge() external returns (address);
    function mint(address to, uint256 amount) external;
    function burn(address from, uint256 amount) external;
}

/// The same under its older names, which bridges still ask for.
interface ILegacyMintableERC20 {
    function l1Token() external view returns (address);
    function mint(address to, uint256 amount) external;
    function burn(address from, uint256 amount) external;
}
