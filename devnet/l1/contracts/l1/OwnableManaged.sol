// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// An owner, and a manager for the daily work.
abstract contract OwnableManaged {
    address public owner;
    address public manager;

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    event ManagementTransferred(address indexed previousManager, address indexed newManager);

    modifier onlyOwner() {
        require(msg.sender == owner, "OwnableManaged: caller is not the owner");
        _;
    }

    modifier onlyOwnerOrManager() {
        require(
            msg.sender == owner || msg.sender == manager, "OwnableManaged: caller is not the owner or the manager"
        );
        _;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "OwnableManaged: new owner is the zero address");
        _setOwner(newOwner);
    }

    function transferManagement(address newManager) external onlyOwnerOrManager {
        require(newManager != address(0), "OwnableManaged: new manager is the zero address");
        _setManager(newManager);
    }

    /// Nobody owns it from then on.
    function renounceOwnership() external onlyOwner {
        _setOwner(address(0));
    }

    function renounceManagement() external onlyOwnerOrManager {
        _setManager(address(0));
    }

    function _setOwner(address newOwner) internal {
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function _setManager(address newManager) internal {
        emit ManagementTransferred(manager, newManager);
        manager = newManager;
    }
}
