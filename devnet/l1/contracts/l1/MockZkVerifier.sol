// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AnchorStateRegistry} from "./AnchorStateRegistry.sol";
import {Verifier} from "./Verifier.sol";

/// MOCK: accepts any proof. It stands where a ZK verifier would, so that challenges can be played
/// on the devnet; it proves nothing.
contract MockZkVerifier is Verifier {
    constructor(AnchorStateRegistry registry) Verifier(registry) {}

    function verify(bytes calldata, bytes32, bytes32) external view override notNullified returns (bool) {
        return true;
    }

    function version() external pure returns (string memory) {
        return "0.1.0";
    }
}
