// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AddressAliasing} from "../shared/AddressAliasing.sol";
import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {DisputeGameFactory} from "./DisputeGameFactory.sol";
import {GameStatus, IDisputeGame} from "./IDisputeGame.sol";
import {OptimismPortal_InvalidMerkleProof, StorageProof} from "./StorageProof.sol";
import {SystemConfig} from "./SystemConfig.sol";

/// Where deposits enter and withdrawals leave (OP spec: deposits, "Deposit Contract"; withdrawals;
/// fault-proof/stage-one/optimism-portal). Holds the ether that L2 has.
contract OptimismPortal {
    /// What L2ToL1MessagePasser hashed.
    struct WithdrawalTransaction {
        uint256 nonce;
        address sender;
        address target;
        uint256 value;
        uint256 gasLimit;
        bytes data;
    }

    /// What an output root is the hash of.
    struct OutputRootProof {
        bytes32 version;
        bytes32 stateRoot;
        bytes32 messagePasserStorageRoot;
        bytes32 latestBlockhash;
    }

    struct ProvenWithdrawal {
        IDisputeGame disputeGameProxy;
        uint64 timestamp;
    }

    uint256 private constant DEPOSIT_VERSION = 0;
    uint64 private constant RECEIVE_GAS_LIMIT = 100_000;
    uint256 private constant MAX_DATA_SIZE = 120_000;
    /// `sentMessages` of L2ToL1MessagePasser.
    uint256 private constant SENT_MESSAGES_SLOT = 0;
    /// What `l2Sender` says while nothing is being finalised.
    address private constant NOBODY = 0x000000000000000000000000000000000000dEaD;
    /// Who asks what a finalisation costs.
    address private constant ESTIMATION_ADDRESS = address(1);
    /// For what follows the call to the target.
    uint256 private constant GAS_RESERVED = 40_000;

    SystemConfig public immutable systemConfig;
    AnchorStateRegistry public immutable anchorStateRegistry;
    /// Seconds between the proof of a withdrawal and its finalisation.
    uint256 public immutable proofMaturityDelaySeconds;

    mapping(bytes32 => bool) public finalizedWithdrawals;
    mapping(bytes32 => mapping(address => ProvenWithdrawal)) public provenWithdrawals;
    mapping(bytes32 => address[]) public proofSubmitters;
    address private transient sender_;

    /// opaqueData of version 0: mint(32) | value(32) | gasLimit(8) | isCreation(1) | data.
    event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData);
    event WithdrawalProven(bytes32 indexed withdrawalHash, address indexed from, address indexed to);
    event WithdrawalProvenExtension1(bytes32 indexed withdrawalHash, address indexed proofSubmitter);
    event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success);

    error OptimismPortal_AlreadyFinalized();
    error OptimismPortal_BadTarget();
    error OptimismPortal_CallPaused();
    error OptimismPortal_CalldataTooLarge();
    error OptimismPortal_GasEstimation();
    error OptimismPortal_GasLimitTooLow();
    error OptimismPortal_ImproperDisputeGame();
    error OptimismPortal_InvalidDisputeGame();
    error OptimismPortal_InvalidOutputRootProof();
    error OptimismPortal_InvalidProofTimestamp();
    error OptimismPortal_InvalidRootClaim();
    error OptimismPortal_NoReentrancy();
    error OptimismPortal_ProofNotOldEnough();
    error OptimismPortal_Unproven();

    modifier whenNotPaused() {
        if (paused()) revert OptimismPortal_CallPaused();
        _;
    }

    constructor(SystemConfig config, AnchorStateRegistry registry, uint256 maturityDelay) {
        systemConfig = config;
        anchorStateRegistry = registry;
        proofMaturityDelaySeconds = maturityDelay;
    }

    receive() external payable {
        depositTransaction(msg.sender, msg.value, RECEIVE_GAS_LIMIT, false, "");
    }

    /// Ether without an L2 transaction.
    function donateETH() external payable {}

    /// @param value wei that the L2 transaction sends; `msg.value` is what is minted
    function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes memory data)
        public
        payable
    {
        if (isCreation && to != address(0)) revert OptimismPortal_BadTarget();
        if (gasLimit < minimumGasLimit(uint64(data.length))) revert OptimismPortal_GasLimitTooLow();
        if (data.length > MAX_DATA_SIZE) revert OptimismPortal_CalldataTooLarge();

        // A contract acts on L2 under its alias; the origin of the transaction under its own address.
        address from = msg.sender == tx.origin ? msg.sender : AddressAliasing.l1ToL2(msg.sender);
        bytes memory opaqueData = abi.encodePacked(msg.value, value, gasLimit, isCreation, data);
        emit TransactionDeposited(from, to, DEPOSIT_VERSION, opaqueData);
    }

    /// Shows that L2 holds the withdrawal in the state that a game claims. May be repeated, with another
    /// game too: the delay begins anew.
    /// @param disputeGameIndex of the game in the factory's list
    function proveWithdrawalTransaction(
        WithdrawalTransaction calldata withdrawal,
        uint256 disputeGameIndex,
        OutputRootProof calldata outputRootProof,
        bytes[] calldata withdrawalProof
    ) external whenNotPaused {
        if (withdrawal.target == address(this)) revert OptimismPortal_BadTarget();
        IDisputeGame game = _gameToProveWith(disputeGameIndex);
        if (game.rootClaim() != keccak256(abi.encode(outputRootProof))) {
            revert OptimismPortal_InvalidOutputRootProof();
        }
        bytes32 withdrawalHash = _hash(withdrawal);
        bytes32 slot = keccak256(abi.encode(withdrawalHash, SENT_MESSAGES_SLOT));
        if (!StorageProof.holdsOne(outputRootProof.messagePasserStorageRoot, slot, withdrawalProof)) {
            revert OptimismPortal_InvalidMerkleProof();
        }

        provenWithdrawals[withdrawalHash][msg.sender] = ProvenWithdrawal(game, uint64(block.timestamp));
        proofSubmitters[withdrawalHash].push(msg.sender);
        emit WithdrawalProven(withdrawalHash, withdrawal.sender, withdrawal.target);
        emit WithdrawalProvenExtension1(withdrawalHash, msg.sender);
    }

    function finalizeWithdrawalTransaction(WithdrawalTransaction calldata withdrawal) external {
        finalizeWithdrawalTransactionExternalProof(withdrawal, msg.sender);
    }

    /// Relies on the proof of somebody else. A call that fails is not repeated: its ether stays here.
    function finalizeWithdrawalTransactionExternalProof(WithdrawalTransaction calldata withdrawal, address submitter)
        public
        whenNotPaused
    {
        if (sender_ != address(0)) revert OptimismPortal_NoReentrancy();
        if (withdrawal.target == address(this)) revert OptimismPortal_BadTarget();
        bytes32 withdrawalHash = _hash(withdrawal);
        checkWithdrawal(withdrawalHash, submitter);
        finalizedWithdrawals[withdrawalHash] = true;

        sender_ = withdrawal.sender;
        require(
            gasleft() * 63 / 64 >= withdrawal.gasLimit + GAS_RESERVED, "SafeCall: Not enough gas"
        );
        (bool success,) = withdrawal.target.call{value: withdrawal.value}(withdrawal.data);
        sender_ = address(0);
        emit WithdrawalFinalized(withdrawalHash, success);
        if (!success && tx.origin == ESTIMATION_ADDRESS) revert OptimismPortal_GasEstimation();
    }

    /// Reverts with the reason for which the withdrawal cannot be finalised now.
    function checkWithdrawal(bytes32 withdrawalHash, address submitter) public view {
        ProvenWithdrawal memory proven = provenWithdrawals[withdrawalHash][submitter];
        if (finalizedWithdrawals[withdrawalHash]) revert OptimismPortal_AlreadyFinalized();
        if (proven.timestamp == 0) revert OptimismPortal_Unproven();
        // Nobody had seen the game then.
        if (proven.timestamp <= proven.disputeGameProxy.createdAt()) revert OptimismPortal_InvalidProofTimestamp();
        if (block.timestamp - proven.timestamp <= proofMaturityDelaySeconds) {
            revert OptimismPortal_ProofNotOldEnough();
        }
        if (!anchorStateRegistry.isGameClaimValid(proven.disputeGameProxy)) revert OptimismPortal_InvalidRootClaim();
    }

    function numProofSubmitters(bytes32 withdrawalHash) external view returns (uint256) {
        return proofSubmitters[withdrawalHash].length;
    }

    /// Who sent on L2 what is being finalised.
    function l2Sender() external view returns (address) {
        return sender_ == address(0) ? NOBODY : sender_;
    }

    function version() external pure returns (string memory) {
        return "5.2.0";
    }

    function paused() public view returns (bool) {
        return systemConfig.paused();
    }

    function guardian() external view returns (address) {
        return systemConfig.guardian();
    }

    function superchainConfig() external view returns (address) {
        return systemConfig.superchainConfig();
    }

    function disputeGameFactory() public view returns (DisputeGameFactory) {
        return anchorStateRegistry.disputeGameFactory();
    }

    function disputeGameFinalityDelaySeconds() external view returns (uint256) {
        return anchorStateRegistry.disputeGameFinalityDelaySeconds();
    }

    function respectedGameType() external view returns (uint32) {
        return anchorStateRegistry.respectedGameType();
    }

    function respectedGameTypeUpdatedAt() external view returns (uint64) {
        return anchorStateRegistry.retirementTimestamp();
    }

    function disputeGameBlacklist(IDisputeGame game) external view returns (bool) {
        return anchorStateRegistry.disputeGameBlacklist(game);
    }

    /// Enough that the L2 transaction's intrinsic gas is covered.
    function minimumGasLimit(uint64 byteCount) public pure returns (uint64) {
        return byteCount * 40 + 21_000;
    }

    function _gameToProveWith(uint256 index) private view returns (IDisputeGame game) {
        (,, game) = disputeGameFactory().gameAtIndex(index);
        if (!anchorStateRegistry.isGameProper(game)) revert OptimismPortal_ImproperDisputeGame();
        if (!anchorStateRegistry.isGameRespected(game) || game.status() == GameStatus.CHALLENGER_WINS) {
            revert OptimismPortal_InvalidDisputeGame();
        }
    }

    function _hash(WithdrawalTransaction calldata withdrawal) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                withdrawal.nonce,
                withdrawal.sender,
                withdrawal.target,
                withdrawal.value,
                withdrawal.gasLimit,
                withdrawal.data
            )
        );
    }
}
