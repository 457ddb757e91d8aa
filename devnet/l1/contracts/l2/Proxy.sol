// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A predeploy whose code may be exchanged (EIP-1967): its admin asks it about itself, everybody else
/// speaks to what stands behind it. Without that, calls revert.
contract Proxy {
    /// keccak256("eip1967.proxy.implementation") - 1
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    /// keccak256("eip1967.proxy.admin") - 1
    bytes32 private constant ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);
    event AdminChanged(address previousAdmin, address newAdmin);

    modifier onlyAdmin() {
        if (msg.sender == _load(ADMIN)) _;
        else _forward();
    }

    function upgradeTo(address implementation_) external onlyAdmin {
        _store(IMPLEMENTATION, implementation_);
        emit Upgraded(implementation_);
    }

    function changeAdmin(address admin_) external onlyAdmin {
        emit AdminChanged(_load(ADMIN), admin_);
        _store(ADMIN, admin_);
    }

    function implementation() external onlyAdmin returns (address) {
        return _load(IMPLEMENTATION);
    }

    function admin() external onlyAdmin returns (address) {
        return _load(ADMIN);
    }

    receive() external payable {
        _forward();
    }

    fallback() external payable {
        _forward();
    }

    function _forward() private {
        address target = _load(IMPLEMENTATION);
        require(target != address(0), "Proxy: implementation not initialized");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    function _load(bytes32 slot) private view returns (address value) {
        assembly {
            value := sload(slot)
        }
    }

    function _store(bytes32 slot, address value) private {
        assembly {
            sstore(slot, value)
        }
    }
}
