// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "../shared/Ownable.sol";

/// When the upgrades of L2 come: a list that only grows, whose places have names off chain (10 Azul, 13
/// Denim). Who derives and who proves can be held to the same list by its id.
///
/// The published contract asks the owner of a ProxyAdmin; here the owner is told at once.
contract ProtocolVersions is Ownable {
    /// Seconds from a change to the time that it sets.
    uint64 public constant MIN_NOTICE = 3600;
    /// Seconds before a time in which nothing about it changes: the most that a sequencer may be ahead.
    uint64 public constant FREEZE_WINDOW = 1800;

    /// May delay what was scheduled, and nothing else.
    address public incidentResponder;
    /// The least version of a node that follows the schedule.
    uint256 public minimumProtocolVersion;

    bool private initialized;
    /// L2 seconds by place; 0: not scheduled.
    uint64[] private schedule;

    event UpgradeRegistered(uint256 indexed id);
    event MinimumProtocolVersionUpdated(uint256 indexed version);
    event TimestampSet(uint256 indexed id, uint256 timestamp);
    event ScheduleIdUpdated(bytes32 indexed scheduleId);
    event IncidentResponderUpdated(address indexed previous, address indexed current);

    error AlreadyInitialized();
    error InvalidProtocolVersion(uint256 version);
    error NoticeTooShort(uint64 timestamp, uint256 earliest);
    error NotIncidentResponder();
    error NotLater(uint64 current, uint64 timestamp);
    error OutOfOrder(uint256 id, uint64 timestamp);
    error UnknownUpgrade(uint256 id);
    error UpgradeFrozen(uint256 id, uint64 timestamp);

    constructor(address owner_) Ownable(owner_) {}

    /// Once. It alone takes times that are past or near.
    function initialize(address responder, uint64[] calldata initialSchedule) external onlyOwner {
        if (initialized) revert AlreadyInitialized();
        initialized = true;
        _setIncidentResponder(responder);
        uint64 latest = 0;
        for (uint256 id = 0; id < initialSchedule.length; ++id) {
            uint64 timestamp = initialSchedule[id];
            if (timestamp != 0 && timestamp < latest) revert OutOfOrder(id, timestamp);
            if (timestamp != 0) latest = timestamp;
            schedule.push(timestamp);
            emit UpgradeRegistered(id);
            emit TimestampSet(id, timestamp);
        }
        emit ScheduleIdUpdated(scheduleId());
    }

    /// @param timestamp L2 seconds; 0: to be scheduled later
    /// @param minVersion 0: as it is
    /// @return id the place of the upgrade
    function registerUpgrade(uint64 timestamp, uint256 minVersion) external onlyOwner returns (uint256 id) {
        id = schedule.length;
        schedule.push(0);
        emit UpgradeRegistered(id);
        if (minVersion != 0) _setMinimumProtocolVersion(minVersion);
        if (timestamp != 0) _requireNotice(timestamp);
        _set(id, timestamp);
    }

    /// @param timestamp L2 seconds; 0 takes the upgrade off the schedule
    function setTimestamp(uint256 id, uint64 timestamp) external onlyOwner {
        _requireNotFrozen(id);
        if (timestamp != 0) _requireNotice(timestamp);
        _set(id, timestamp);
    }

    /// In an incident: later than it was, and never sooner.
    function delayTimestamp(uint256 id, uint64 timestamp) external {
        if (msg.sender != incidentResponder) revert NotIncidentResponder();
        _requireNotFrozen(id);
        uint64 current = schedule[id];
        if (current == 0 || timestamp <= current) revert NotLater(current, timestamp);
        _requireNotice(timestamp);
        _set(id, timestamp);
    }

    /// @param version_ of 128 bits at most
    function setMinimumProtocolVersion(uint256 version_) external onlyOwner {
        _setMinimumProtocolVersion(version_);
    }

    function setIncidentResponder(address responder) external onlyOwner {
        _setIncidentResponder(responder);
    }

    function getSchedule() external view returns (uint64[] memory) {
        return schedule;
    }

    /// Of the upgrades up to the highest place whose time has come; zero where none has.
    function activatedScheduleId(uint64 l2Timestamp) external view returns (bytes32) {
        for (uint256 count = schedule.length; count > 0; --count) {
            uint64 timestamp = schedule[count - 1];
            if (timestamp != 0 && timestamp <= l2Timestamp) return _link(count);
        }
        return 0;
    }

    /// Of the upgrades up to this place.
    function scheduleId(uint256 id) external view returns (bytes32) {
        if (id >= schedule.length) revert UnknownUpgrade(id);
        return _link(id + 1);
    }

    /// Of the whole list.
    function scheduleId() public view returns (bytes32) {
        return _link(schedule.length);
    }

    function version() external pure returns (string memory) {
        return "1.0.0";
    }

    /// Each link hashes the one before, the place and the time; the first is zero.
    function _link(uint256 count) private view returns (bytes32 link) {
        for (uint256 id = 0; id < count; ++id) {
            link = keccak256(abi.encode(link, id, schedule[id]));
        }
    }

    /// Times do not go back from place to place; two may share one, but not by a later change of the first.
    function _set(uint256 id, uint64 timestamp) private {
        if (timestamp != 0) {
            for (uint256 i = id; i > 0; --i) {
                if (schedule[i - 1] == 0) continue;
                if (timestamp < schedule[i - 1]) revert OutOfOrder(id, timestamp);
                break;
            }
            for (uint256 i = id + 1; i < schedule.length; ++i) {
                if (schedule[i] == 0) continue;
                // What was skipped while a later one was scheduled stays skipped.
                if (schedule[id] == 0 || timestamp >= schedule[i]) revert OutOfOrder(id, timestamp);
                break;
            }
        }
        schedule[id] = timestamp;
        emit TimestampSet(id, timestamp);
        emit ScheduleIdUpdated(scheduleId());
    }

    function _requireNotice(uint64 timestamp) private view {
        uint256 earliest = block.timestamp + MIN_NOTICE;
        if (timestamp < earliest) revert NoticeTooShort(timestamp, earliest);
    }

    function _requireNotFrozen(uint256 id) private view {
        if (id >= schedule.length) revert UnknownUpgrade(id);
        uint64 current = schedule[id];
        if (current != 0 && block.timestamp + FREEZE_WINDOW >= current) revert UpgradeFrozen(id, current);
    }

    function _setMinimumProtocolVersion(uint256 version_) private {
        if (version_ > type(uint128).max) revert InvalidProtocolVersion(version_);
        minimumProtocolVersion = version_;
        emit MinimumProtocolVersionUpdated(version_);
    }

    function _setIncidentResponder(address responder) private {
        emit IncidentResponderUpdated(incidentResponder, responder);
        incidentResponder = responder;
    }
}
