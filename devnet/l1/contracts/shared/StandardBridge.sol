// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Caller} from "./Caller.sol";
import {CrossDomainMessenger} from "./CrossDomainMessenger.sol";
import {Erc165} from "./Erc165.sol";
import {ILegacyMintableERC20, IOptimismMintableERC20} from "./IOptimismMintableERC20.sol";

/// Ether and EIP-20 tokens across the two layers (OP spec: bridges). A token waits here while it is on
/// the other layer; one that stands for a token of the other layer is burnt and minted.
abstract contract StandardBridge {
    uint32 internal constant RECEIVE_GAS_LIMIT = 200_000;

    /// Local token → remote token → what waits here.
    mapping(address => mapping(address => uint256)) public deposits;

    event ETHBridgeInitiated(address indexed from, address indexed to, uint256 amount, bytes extraData);
    event ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData);
    event ERC20BridgeInitiated(
        address indexed localToken,
        address indexed remoteToken,
        address indexed from,
        address to,
        uint256 amount,
        bytes extraData
    );
    event ERC20BridgeFinalized(
        address indexed localToken,
        address indexed remoteToken,
        address indexed from,
        address to,
        uint256 amount,
        bytes extraData
    );

    /// Without a receiver it would be the caller, and on the other layer nobody may have its address.
    modifier onlyEOA() {
        require(Caller.isEOA(), "StandardBridge: function can only be called from an EOA");
        _;
    }

    modifier onlyOtherBridge() {
        require(
            msg.sender == address(messenger()) && messenger().xDomainMessageSender() == address(otherBridge()),
            "StandardBridge: function can only be called from the other bridge"
        );
        _;
    }

    function messenger() public view virtual returns (CrossDomainMessenger);

    function otherBridge() public view virtual returns (StandardBridge);

    receive() external payable onlyEOA {
        _bridgeETH(msg.sender, RECEIVE_GAS_LIMIT, "");
    }

    function bridgeETH(uint32 minGasLimit, bytes calldata extraData) external payable onlyEOA {
        _bridgeETH(msg.sender, minGasLimit, extraData);
    }

    function bridgeETHTo(address to, uint32 minGasLimit, bytes calldata extraData) external payable {
        _bridgeETH(to, minGasLimit, extraData);
    }

    function bridgeERC20(
        address localToken,
        address remoteToken,
        uint256 amount,
        uint32 minGasLimit,
        bytes calldata extraData
    ) external onlyEOA {
        _bridgeERC20(localToken, remoteToken, msg.sender, amount, minGasLimit, extraData);
    }

    function bridgeERC20To(
        address localToken,
        address remoteToken,
        address to,
        uint256 amount,
        uint32 minGasLimit,
        bytes calldata extraData
    ) external {
        _bridgeERC20(localToken, remoteToken, to, amount, minGasLimit, extraData);
    }

    function finalizeBridgeETH(address from, address to, uint256 amount, bytes calldata extraData)
        external
        payable
        onlyOtherBridge
    {
        require(msg.value == amount, "StandardBridge: amount sent does not match amount required");
        require(to != address(this) && to != address(messenger()), "StandardBridge: cannot send to self");
        _ethArrived(from, to, amount, extraData);
        emit ETHBridgeFinalized(from, to, amount, extraData);
        (bool sent,) = to.call{value: amount}("");
        require(sent, "StandardBridge: ETH transfer failed");
    }

    function finalizeBridgeERC20(
        address localToken,
        address remoteToken,
        address from,
        address to,
        uint256 amount,
        bytes calldata extraData
    ) external onlyOtherBridge {
        if (_isMintable(localToken)) {
            _requirePair(localToken, remoteToken);
            IOptimismMintableERC20(localToken).mint(to, amount);
        } else {
            deposits[localToken][remoteToken] -= amount;
            _move(localToken, abi.encodeWithSignature("transfer(address,uint256)", to, amount));
        }
        _erc20Arrived(localToken, remoteToken, from, to, amount, extraData);
        emit ERC20BridgeFinalized(localToken, remoteToken, from, to, amount, extraData);
    }

    function _bridgeETH(address to, uint32 minGasLimit, bytes memory extraData) internal {
        _ethLeaves(msg.sender, to, msg.value, extraData);
        emit ETHBridgeInitiated(msg.sender, to, msg.value, extraData);
        messenger().sendMessage{value: msg.value}(
            address(otherBridge()),
            abi.encodeCall(this.finalizeBridgeETH, (msg.sender, to, msg.value, extraData)),
            minGasLimit
        );
    }

    function _bridgeERC20(
        address localToken,
        address remoteToken,
        address to,
        uint256 amount,
        uint32 minGasLimit,
        bytes memory extraData
    ) internal {
        if (_isMintable(localToken)) {
            _requirePair(localToken, remoteToken);
            IOptimismMintableERC20(localToken).burn(msg.sender, amount);
        } else {
            _move(
                localToken,
                abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount)
            );
            deposits[localToken][remoteToken] += amount;
        }
        _erc20Leaves(localToken, remoteToken, msg.sender, to, amount, extraData);
        emit ERC20BridgeInitiated(localToken, remoteToken, msg.sender, to, amount, extraData);
        messenger().sendMessage(
            address(otherBridge()),
            // The other bridge's local token is our remote one.
            abi.encodeCall(this.finalizeBridgeERC20, (remoteToken, localToken, msg.sender, to, amount, extraData)),
            minGasLimit
        );
    }

    /// The older event of each layer, which goes before the common one.
    function _ethLeaves(address from, address to, uint256 amount, bytes memory extraData) internal virtual;

    function _ethArrived(address from, address to, uint256 amount, bytes memory extraData) internal virtual;

    function _erc20Leaves(
        address localToken,
        address remoteToken,
        address from,
        address to,
        uint256 amount,
        bytes memory extraData
    ) internal virtual;

    function _erc20Arrived(
        address localToken,
        address remoteToken,
        address from,
        address to,
        uint256 amount,
        bytes memory extraData
    ) internal virtual;

    function _isMintable(address token) private view returns (bool) {
        return Erc165.isSupported(token, type(IOptimismMintableERC20).interfaceId)
            || Erc165.isSupported(token, type(ILegacyMintableERC20).interfaceId);
    }

    function _requirePair(address localToken, address remoteToken) private view {
        address stands = Erc165.isSupported(localToken, type(IOptimismMintableERC20).interfaceId)
            ? IOptimismMintableERC20(localToken).remoteToken()
            : ILegacyMintableERC20(localToken).l1Token();
        require(
            stands == remoteToken, "StandardBridge: wrong remote token for Optimism Mintable ERC20 local token"
        );
    }

    /// Some tokens answer nothing where EIP-20 says true.
    function _move(address token, bytes memory call) private {
        (bool success, bytes memory answer) = token.call(call);
        bool isDone = success && token.code.length > 0 && (answer.length == 0 || abi.decode(answer, (bool)));
        require(isDone, "StandardBridge: the token did not move");
    }
}
