import solc from 'solc'
import type { Abi, Hex } from 'viem'

const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

contract OwnedAccount {
    address public immutable entryPoint;
    address public owner;

    constructor(address entryPoint_, address owner_) payable {
        entryPoint = entryPoint_;
        owner = owner_;
    }

    receive() external payable {}

    function validateUserOp(PackedUserOperation calldata op, bytes32 hash, uint256 missing)
        external
        returns (uint256)
    {
        require(msg.sender == entryPoint, "not the entry point");
        bytes calldata sig = op.signature;
        address signer = ecrecover(hash, uint8(sig[64]), bytes32(sig[0:32]), bytes32(sig[32:64]));
        if (missing > 0) {
            (bool paid,) = msg.sender.call{value: missing}("");
            paid;
        }
        return signer == owner ? 0 : 1;
    }

    function execute(address to, uint256 value, bytes calldata data) external {
        require(msg.sender == entryPoint, "not the entry point");
        (bool ok,) = to.call{value: value}(data);
        require(ok, "the call failed");
    }
}`

/** A smart account of one owner, for EntryPoint 0.7: the least that ERC-4337 asks for. */
export function compileOwnedAccount(): { abi: Abi; bytecode: Hex } {
  const settings = { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } }
  const sources = { 'OwnedAccount.sol': { content: SOURCE } }
  const input = { language: 'Solidity', sources, settings }
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)))
  if (!contracts?.['OwnedAccount.sol']) throw new Error(JSON.stringify(errors))
  const { abi, evm } = contracts['OwnedAccount.sol'].OwnedAccount
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
