import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Ledger {
    mapping(address => uint256) public entries;
    uint128 public limit = 1000;
    bool public isOpen = true;
    event Noted(address indexed who, uint256 amount);

    function note(address who, uint256 amount) external returns (uint256) {
        entries[who] += amount;
        emit Noted(who, amount);
        return entries[who];
    }
}

contract Till {
    Ledger immutable ledger;
    error TooLittle(uint256 given, uint256 wanted);

    constructor(Ledger ledger_) { ledger = ledger_; }

    function pay(uint256 wanted) external payable {
        if (msg.value < wanted) revert TooLittle(msg.value, wanted);
        ledger.note(msg.sender, msg.value);
    }
}`

export interface SampleContract {
  abi: Abi
  bytecode: Hex
}

interface Compiled {
  abi: Abi
  storageLayout: object
  evm: {
    [code in 'bytecode' | 'deployedBytecode']: { object: string; immutableReferences?: object }
  }
}

/** Contracts that a page must decode: one in a folder as Foundry leaves it, one as Hardhat does. */
export function writeSampleContracts(folder: string): Record<'Ledger' | 'Till', SampleContract> {
  const wanted = ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'storageLayout']
  const input = {
    language: 'Solidity',
    sources: { 'Till.sol': { content: SOURCE } },
    settings: { evmVersion: 'prague', outputSelection: { '*': { '*': wanted } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const { Ledger, Till } = output.contracts['Till.sol'] as Record<'Ledger' | 'Till', Compiled>
  const write = (path: string, json: object) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(json))
  }
  // Foundry: the file bears the name.
  write('Till.sol/Till.json', {
    abi: Till.abi,
    bytecode: { object: `0x${Till.evm.bytecode.object}` },
    deployedBytecode: {
      object: `0x${Till.evm.deployedBytecode.object}`,
      immutableReferences: Till.evm.deployedBytecode.immutableReferences,
    },
  })
  write('contracts/Ledger.sol/Ledger.json', {
    _format: 'hh3-artifact-1',
    contractName: 'Ledger',
    abi: Ledger.abi,
    deployedBytecode: `0x${Ledger.evm.deployedBytecode.object}`,
    storageLayout: Ledger.storageLayout,
  })
  write('contracts/Ledger.sol/Ledger.dbg.json', { buildInfo: '…' })
  write('build-info/solc-1.json', { input })
  write('build-info/solc-1.output.json', { output })
  write('notes.json', { abi: 'none' })
  return { Ledger: sampleOf(Ledger), Till: sampleOf(Till) }
}

/** The line of the source that has these words, from 1. */
export const lineWith = (words: string): number =>
  SOURCE.split('\n').findIndex((line) => line.includes(words)) + 1

const sampleOf = ({ abi, evm }: Compiled): SampleContract => ({
  abi,
  bytecode: `0x${evm.bytecode.object}`,
})
