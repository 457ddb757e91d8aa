// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Erc20} from "../shared/Erc20.sol";
import {ILegacyMintableERC20, IOptimismMintableERC20} from "../shared/IOptimismMintableERC20.sol";

/// Stands on L2 for a token of L1 (OP spec: predeploys, "OptimismMintableERC20Factory").
contract OptimismMintableERC20 is Erc20 {
    address public immutable REMOTE_TOKEN;
    address public immutable BRIDGE;
    uint8 private immutable decimals_;

    string public override name;
    string public override symbol;
    uint256 public override totalSupply;

    event Mint(address indexed account, uint256 amount);
    event Burn(address indexed account, uint256 amount);

    modifier onlyBridge() {
        require(msg.sender == BRIDGE, "OptimismMintableERC20: only bridge can mint and burn");
        _;
    }

    constructor(address bridge_, address remoteToken_, string memory name_, string memory symbol_, uint8 decimalPlaces) {
        BRIDGE = bridge_;
        REMOTE_TOKEN = remoteToken_;
        name = name_;
        symbol = symbol_;
        decimals_ = decimalPlaces;
    }

    function decimals() public view override returns (uint8) {
        return decimals_;
    }

    function mint(address to, uint256 amount) external onlyBridge {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
        emit Mint(to, amount);
    }

    function burn(address from, uint256 amount) external onlyBridge {
        if (balanceOf[from] < amount) revert InsufficientBalance(from, balanceOf[from], amount);
        totalSupply -= amount;
        balanceOf[from] -= amount;
        emit Transfer(from, address(0), amount);
        emit Burn(from, amount);
    }

    function remoteToken() external view returns (address) {
        return REMOTE_TOKEN;
    }

    function bridge() external view returns (address) {
        return BRIDGE;
    }

    function l1Token() external view returns (address) {
        return REMOTE_TOKEN;
    }

    function l2Bridge() external view returns (address) {
        return BRIDGE;
    }

    /// EIP-165.
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == type(IOptimismMintableERC20).interfaceId
            || interfaceId == type(ILegacyMintableERC20).interfaceId;
    }
}
