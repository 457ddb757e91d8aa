import { instead, keptIn, NEVER } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { askingMutants } from './asking-mutants.ts'
import { signatureMutants } from './signature-mutants.ts'

const challenger = mutantsOf('challenger', 'challenger')

const CHALLENGER = 'own-challenger.ts'
const NULLIFY =
  "wallet.writeContract({ chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root], gas: 2_000_000n })"

/** Challengers with one mistake, made in the source of our own. */
export const CHALLENGER_MUTANTS: readonly Mutant[] = [
  challenger(
    'SIG-06',
    'v-not-raised',
    'Sends v as the enclave gave it',
    instead(CHALLENGER, '+ 27)', ')'),
  ),
  challenger(
    'SIG-06',
    'v-always-27',
    'Sends 27 whatever v the enclave gave',
    instead(CHALLENGER, 'numberToHex(Number(slice(signature, 64)) + 27)', 'numberToHex(27)'),
  ),
  challenger(
    'PIPE-26',
    'other-proposer',
    'Asks for a proof for another account than the one that sends',
    instead(CHALLENGER, 'proposer: account.address', 'proposer: devnet.accounts[3].address'),
  ),
  challenger(
    'PIPE-26',
    'last-wrong-root',
    'Goes on to the last wrong root of a game',
    instead(
      CHALLENGER,
      'for (let index = 0n; index < count; index += 1n) {\n    const end = start + (index + 1n) * interval',
      'for (let index = count - 1n; index >= 0n; index -= 1n) {\n    const end = start + (index + 1n) * interval\n    agreed = await outputAt(end - interval)',
    ),
  ),
  challenger(
    'PIPE-26',
    'newest-l1-head',
    'Asks for its proof from the newest L1 block',
    instead(
      CHALLENGER,
      "const l1Head = await l1.readContract({ ...game, functionName: 'l1Head' })",
      'const l1Head = (await l1.getBlock()).hash',
    ),
  ),
  challenger(
    'PIPE-26',
    'block-signature',
    'Sends the signature of the last block, not the aggregate one',
    instead(
      CHALLENGER,
      '} = Tee.aggregate_proposal',
      '} = (Tee as never as { proposals: (typeof Tee.aggregate_proposal)[] }).proposals.at(-1)!',
    ),
  ),
  challenger(
    'PRV-REQ-09',
    'interval-in-force',
    'Asks the implementation in force for the interval of a game',
    instead(
      CHALLENGER,
      'const interval = (last - start) / count',
      `const inForce = parseAbi(['function gameImpls(uint32) view returns (address)', 'function INTERMEDIATE_BLOCK_INTERVAL() view returns (uint256)'])
  const implementation = await l1.readContract({ address: factory.address, abi: inForce, functionName: 'gameImpls', args: [GAME_TYPE] })
  const interval = await l1.readContract({ address: implementation, abi: inForce, functionName: 'INTERMEDIATE_BLOCK_INTERVAL' })`,
    ),
  ),
  challenger(
    'PIPE-26',
    'wrong-index',
    'Always disputes the first root',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root]',
      'args: [proof, 0n, truth.root], gas: 2_000_000n',
    ),
  ),
  challenger(
    'PIPE-23',
    'sends-blindly',
    'Does not look at the game again before it sends',
    instead(
      CHALLENGER,
      "if (!(await firstWrongRoot(address))) return { status: 'already nullified', game: address }",
      "await wallet.writeContract({ chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root], gas: 2_000_000n })",
    ),
  ),
  ...askingMutants(challenger, 'PIPE-26', CHALLENGER),
  ...signatureMutants(challenger, 'PIPE-26', CHALLENGER),
  challenger(
    'PIPE-26',
    'no-game-for-good',
    'Waits for ever where there is no game when it starts',
    instead(
      CHALLENGER,
      "functionName: 'gameCount' })",
      `functionName: 'gameCount' })\n  if (count === 0n) await ${NEVER}`,
    ),
  ),
  challenger(
    'PIPE-23',
    'forgets-the-status',
    'Looks whether the proof is still there before it sends, and not whether the game is resolved',
    instead(
      CHALLENGER,
      "if (!(await firstWrongRoot(address))) return { status: 'already nullified', game: address }\n  const hash = await wallet.writeContract({",
      "if ((await l1.readContract({ address, abi, functionName: 'teeProver' })) === zeroAddress) return { status: 'already nullified', game: address }\n  const hash = await wallet.writeContract({ gas: 2_000_000n,",
    ),
  ),
  challenger(
    'PIPE-23',
    'sends-again',
    'Sends another transaction when the answer to the first is lost',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root],\n  })',
      `args: [proof, index, truth.root],
  }).catch((error) => {
    if (/revert/i.test(String(error))) throw error
    return wallet.writeContract({ chain: null, address, abi, functionName: 'nullify', args: [proof, index, truth.root], gas: 2_000_000n })
  })`,
    ),
  ),
  challenger(
    'PIPE-26',
    'claim-only',
    'Looks at no root of a game whose claim is true (base/base#2229)',
    instead(
      CHALLENGER,
      'if (agreed.root !== startRoot) return undefined',
      "if (agreed.root !== startRoot) return undefined\n  if ((await l1.readContract({ ...game, functionName: 'intermediateOutputRoot', args: [count - 1n] })) === (await outputAt(last)).root) return undefined",
    ),
  ),
  challenger(
    'PIPE-26',
    'bisects',
    'Takes all roots after the first wrong one for wrong, and looks for it by halves (base/base#2229)',
    instead(
      CHALLENGER,
      'for (let index = 0n; index < count; index += 1n) {',
      `let low = 0n
  for (let high = count - 1n; low < high; ) {
    const middle = (low + high) / 2n
    const said = await l1.readContract({ ...game, functionName: 'intermediateOutputRoot', args: [middle] })
    if (said === (await outputAt(start + (middle + 1n) * interval)).root) low = middle + 1n
    else high = middle
  }
  agreed = await outputAt(start + low * interval)
  for (let index = low; index < count; index += 1n) {`,
    ),
  ),
  challenger(
    'PIPE-26',
    'gives-up-when-l1-refuses',
    'Gives up for good when L1 takes its transaction not at once (base/base#3768)',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root],\n  })',
      `args: [proof, index, truth.root],\n  }).catch(() => ${NEVER})`,
    ),
  ),
  challenger(
    'PRV-REQ-01',
    'says-what-for',
    'Says beside the request that it is for a dispute',
    instead(
      CHALLENGER,
      "functionName: 'TEE_IMAGE_HASH' }),\n  })",
      "functionName: 'TEE_IMAGE_HASH' }),\n  }, 'dispute')",
    ),
  ),
  challenger(
    'PRV-REQ-04',
    'first-number-kept',
    'Keeps the number of the L1 head of its first dispute on disk, for all later ones',
    instead(
      CHALLENGER,
      'const { number } = await l1.getBlock({ blockHash: l1Head })',
      `const number = ${keptIn("'number'", 'String((await l1.getBlock({ blockHash: l1Head })).number)')}`,
    ),
  ),
  challenger(
    'PIPE-23',
    'disputes-again',
    'Disputes a game again that it has nullified (base/base#4781)',
    instead(
      CHALLENGER,
      'return { status, hash, game: address,',
      `await ${NULLIFY}\n  return { status, hash, game: address,`,
    ),
  ),
]
