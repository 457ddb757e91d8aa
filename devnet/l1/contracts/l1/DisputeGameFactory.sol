// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "../shared/Ownable.sol";
import {CloneWithArgs} from "./CloneWithArgs.sol";
import {IDisputeGame} from "./IDisputeGame.sol";

/// A game that needs no proof to begin. An AggregateVerifier is none.
interface IProoflessGame {
    function initialize() external payable;
}

/// Creates and lists dispute games (OP spec: fault-proof/stage-one/dispute-game-interface).
contract DisputeGameFactory is Ownable {
    struct GameSearchResult {
        uint256 index;
        bytes32 metadata;
        uint64 timestamp;
        bytes32 rootClaim;
        bytes extraData;
    }

    mapping(uint32 => IDisputeGame) public gameImpls;
    mapping(uint32 => uint256) public initBonds;
    /// What the clones of a type carry behind their extraData.
    mapping(uint32 => bytes) public gameArgs;

    /// Game ids: type(4) | creation time(8) | address(20).
    mapping(bytes32 => bytes32) private idOf;
    bytes32[] private ids;

    event DisputeGameCreated(address indexed disputeProxy, uint32 indexed gameType, bytes32 indexed rootClaim);
    event ImplementationSet(address indexed impl, uint32 indexed gameType);
    event ImplementationArgsSet(uint32 indexed gameType, bytes args);
    event InitBondUpdated(uint32 indexed gameType, uint256 indexed newBond);

    error GameAlreadyExists(bytes32 uuid);
    error IncorrectBondAmount();
    error NoImplementation(uint32 gameType);

    constructor(address owner_) Ownable(owner_) {}

    /// A game without a proof. There is no implementation for one on the devnet: it reverts.
    function create(uint32 gameType, bytes32 rootClaim, bytes calldata extraData)
        external
        payable
        returns (IDisputeGame game)
    {
        game = _clone(gameType, rootClaim, extraData);
        IProoflessGame(address(game)).initialize{value: msg.value}();
        _register(gameType, rootClaim, extraData, game);
    }

    function createWithInitData(uint32 gameType, bytes32 rootClaim, bytes calldata extraData, bytes calldata initData)
        external
        payable
        returns (IDisputeGame game)
    {
        game = _clone(gameType, rootClaim, extraData);
        game.initializeWithInitData{value: msg.value}(initData);
        _register(gameType, rootClaim, extraData, game);
    }

    function games(uint32 gameType, bytes32 rootClaim, bytes calldata extraData)
        external
        view
        returns (IDisputeGame proxy, uint64 timestamp)
    {
        (, timestamp, proxy) = _unpack(idOf[getGameUUID(gameType, rootClaim, extraData)]);
    }

    function version() external pure returns (string memory) {
        return "1.4.0";
    }

    function gameCount() external view returns (uint256) {
        return ids.length;
    }

    function gameAtIndex(uint256 index) external view returns (uint32 gameType, uint64 timestamp, IDisputeGame proxy) {
        return _unpack(ids[index]);
    }

    /// Up to `n` games of a type, from `start` backwards.
    function findLatestGames(uint32 gameType, uint256 start, uint256 n)
        external
        view
        returns (GameSearchResult[] memory found)
    {
        if (start >= ids.length || n == 0) return found;
        uint256 most = n < start + 1 ? n : start + 1;
        found = new GameSearchResult[](most);
        uint256 count = 0;
        for (uint256 next = start + 1; next > 0 && count < most; --next) {
            (uint32 type_, uint64 timestamp, IDisputeGame game) = _unpack(ids[next - 1]);
            if (type_ != gameType) continue;
            found[count++] =
                GameSearchResult(next - 1, ids[next - 1], timestamp, game.rootClaim(), game.extraData());
        }
        assembly {
            mstore(found, count)
        }
    }

    function getGameUUID(uint32 gameType, bytes32 rootClaim, bytes calldata extraData) public pure returns (bytes32) {
        return keccak256(abi.encode(gameType, rootClaim, extraData));
    }

    function setImplementation(uint32 gameType, IDisputeGame implementation) external onlyOwner {
        gameImpls[gameType] = implementation;
        emit ImplementationSet(address(implementation), gameType);
    }

    function setImplementation(uint32 gameType, IDisputeGame implementation, bytes calldata args) external onlyOwner {
        gameImpls[gameType] = implementation;
        gameArgs[gameType] = args;
        emit ImplementationSet(address(implementation), gameType);
        emit ImplementationArgsSet(gameType, args);
    }

    function setInitBond(uint32 gameType, uint256 bond) external onlyOwner {
        initBonds[gameType] = bond;
        emit InitBondUpdated(gameType, bond);
    }

    /// The clone carries: creator(20) | root claim(32) | hash of the parent L1 block(32) | extraData,
    /// and of a type with arguments: … | game type(4) | extraData | arguments.
    function _clone(uint32 gameType, bytes32 rootClaim, bytes calldata extraData)
        private
        returns (IDisputeGame)
    {
        IDisputeGame implementation = gameImpls[gameType];
        if (address(implementation) == address(0)) revert NoImplementation(gameType);
        if (msg.value != initBonds[gameType]) revert IncorrectBondAmount();
        bytes32 uuid = getGameUUID(gameType, rootClaim, extraData);
        if (idOf[uuid] != 0) revert GameAlreadyExists(uuid);

        bytes memory typeArgs = gameArgs[gameType];
        bytes memory args = abi.encodePacked(
            msg.sender,
            rootClaim,
            blockhash(block.number - 1),
            typeArgs.length == 0 ? extraData : abi.encodePacked(gameType, extraData, typeArgs)
        );
        return IDisputeGame(CloneWithArgs.create2(address(implementation), args, uuid));
    }

    /// Last: while a game is being initialised the factory does not know it.
    function _register(uint32 gameType, bytes32 rootClaim, bytes calldata extraData, IDisputeGame game) private {
        bytes32 id = bytes32(abi.encodePacked(gameType, uint64(block.timestamp), game));
        idOf[getGameUUID(gameType, rootClaim, extraData)] = id;
        ids.push(id);
        emit DisputeGameCreated(address(game), gameType, rootClaim);
    }

    function _unpack(bytes32 id) private pure returns (uint32 gameType, uint64 timestamp, IDisputeGame game) {
        uint256 bits = uint256(id);
        return (uint32(bits >> 224), uint64(bits >> 160), IDisputeGame(address(uint160(bits))));
    }
}
