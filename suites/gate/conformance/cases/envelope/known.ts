import { notApplicable } from '../../case-failure.ts'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import type { KnownKind } from '../../seen/known-answers.ts'

type About = Pick<
  ConformanceCase,
  'id' | 'title' | 'area' | 'rules' | 'rationale' | 'profiles' | 'level'
>

/** A case that judges what was asked all the time, and had an answer that was known before. */
const ofKnown = (kind: KnownKind, needs: ConformanceCase['needs'], about: About) => ({
  ...about,
  needs,
  asks: kind,
  watches: true as const,
  judgesAll: true as const,
  async run({ watched, note }: Parameters<ConformanceCase['run']>[0]) {
    const { count, failure, absence } = watched.known.of(kind)
    if (count === 0)
      notApplicable(['Nothing of it was answered.', ...(absence ? [absence] : [])].join(' '))
    note(`${count} answers.`)
    if (failure) throw failure
  },
})

export const cases = defineCases([
  ofKnown('calls', ['rpc', 'driver'], {
    id: 'rpc.call.known-returns.01',
    title: 'All the time a call returns the bytes that it was given, and sees who calls with what',
    area: 'call',
    rules: [
      ...['RPC-CALL-03', 'RPC-CALL-05', 'RPC-CALL-07', 'RPC-CALL-13', 'RPC-CALL-14'],
      'RPC-CALL-16',
    ],
    rationale:
      'Bytes of nine lengths, and values beyond 64 bits; what is wrong now and then shows.',
  }),
  ofKnown('reverts', ['rpc', 'driver'], {
    id: 'rpc.call.known-reverts.01',
    title: 'All the time a call that reverts is an error with its bytes',
    area: 'call',
    rules: ['ERR-03', 'ERR-04'],
    rationale: 'A reason, a panic, an error of its own, long bytes and none, by turns.',
  }),
  ofKnown('revert-words', ['rpc', 'driver'], {
    id: 'rpc.call.known-revert-words.01',
    title: 'All the time a call that reverts has the code and the words of the spec',
    area: 'call',
    rules: ['ERR-01', 'ERR-02', 'ERR-04'],
    // Deployed nodes have a code of their own.
    profiles: ['spec'],
    rationale: 'A reason, a panic, an error of its own, long bytes and none, by turns.',
  }),
  ofKnown('refused-calls', ['rpc', 'driver'], {
    id: 'rpc.call.known-refused.01',
    title: 'All the time eth_call refuses what is no call',
    area: 'call',
    rules: ['RPC-CALL-01', 'RPC-CALL-02'],
    rationale: 'What is refused at the first look, and answered at the thirtieth, is answered.',
  }),
  ofKnown('drawn-calls', ['rpc', 'driver'], {
    id: 'rpc.call.known-drawn.01',
    title: 'All the time drawn calls return, or revert with, what another EVM makes of them',
    area: 'call',
    rules: ['RPC-CALL-03', 'RPC-CALL-07', 'RPC-CALL-13', 'RPC-CALL-14', 'ERR-03'],
    rationale: 'Sixteen calls, whose whole state is in the overrides, asked again and again.',
  }),
  ofKnown('drawn-simulations', ['rpc', 'driver'], {
    id: 'rpc.simulate.known-drawn.01',
    title: 'All the time drawn simulations come to what another EVM makes of them',
    area: 'simulate',
    rules: [
      ...['RPC-SIM-04', 'RPC-SIM-05', 'RPC-SIM-15', 'RPC-SIM-28', 'RPC-SIM-32', 'RPC-SIM-33'],
      ...['RPC-SIM-34', 'RPC-SIM-35', 'RPC-SIM-36', 'RPC-SIM-37'],
    ],
    // Deployed nodes give what a failed call reverts with in its error alone.
    profiles: ['spec'],
    rationale: 'Twelve simulations, whose whole state is in the overrides, asked again and again.',
  }),
  ofKnown('simulated-heads', ['rpc', 'driver'], {
    id: 'rpc.simulate.known-heads.01',
    title: 'All the time number, timestamp and gasLimit of each element are what its calls see',
    area: 'simulate',
    rules: ['RPC-SIM-23', 'RPC-SIM-26', 'RPC-SIM-27'],
    rationale: 'The header that is told is the one that the EVM reads, in later elements too.',
  }),
  ofKnown('simulated-fees', ['rpc', 'driver'], {
    id: 'rpc.simulate.known-heads.02',
    title: 'All the time base fee, miner and mixHash of each element are what its calls see',
    area: 'simulate',
    rules: ['RPC-SIM-29', 'RPC-SIM-22'],
    level: 'should',
    rationale: 'What they come from no document says; but a block has one of each.',
  }),
  ofKnown('refused-simulations', ['rpc', 'driver'], {
    id: 'rpc.simulate.known-refused.01',
    title: 'All the time eth_simulateV1 refuses what is no simulation',
    area: 'simulate',
    rules: ['RPC-SIM-01', 'RPC-SIM-02', 'RPC-SIM-06'],
    rationale: 'What is refused at the first look, and answered at the thirtieth, is answered.',
  }),
  ofKnown('slots', ['rpc', 'driver'], {
    id: 'rpc.storage.known-slots.01',
    title: 'All the time a slot has the value that was written, at each height',
    area: 'storage',
    rules: [
      ...['RPC-STOR-02', 'RPC-STOR-03', 'RPC-STOR-05', 'RPC-STOR-06', 'RPC-STOR-07'],
      ...['RPC-SEL-06', 'RPC-SEL-07'],
    ],
    rationale: 'Before, after and between two writes, and far slots; asked again and again.',
  }),
  ofKnown('refused-slots', ['rpc', 'driver'], {
    id: 'rpc.storage.known-refused.01',
    title: 'All the time eth_getStorageAt refuses what names no slot',
    area: 'storage',
    rules: ['RPC-STOR-01', 'RPC-STOR-02', 'RPC-STOR-04'],
    rationale: 'What is refused at the first look, and answered at the thirtieth, is answered.',
  }),
  ofKnown('sealed-logs', ['rpc', 'driver'], {
    id: 'rpc.getlogs.known-sealed.01',
    title: 'All the time sealed logs are found by height, by hash, by address and by topics',
    area: 'logs',
    rules: [
      ...['RPC-GETLOGS-01', 'RPC-GETLOGS-04', 'RPC-FLT-07', 'RPC-FLT-08', 'RPC-FLT-12'],
      ...['RPC-FLT-16', 'RPC-LOG-03', 'RPC-LOG-05', 'RPC-LOG-06', 'RPC-LOG-10'],
    ],
    rationale: 'Topics and data are those that were sent; asked again and again.',
  }),
  ofKnown('refused-filters', ['rpc', 'driver'], {
    id: 'rpc.getlogs.known-refused.01',
    title: 'All the time eth_getLogs refuses to answer without a filter',
    area: 'logs',
    rules: ['RPC-FLT-01'],
    rationale: 'What is refused at the first look, and answered at the thirtieth, is answered.',
  }),
  ofKnown('called-slots', ['rpc', 'driver'], {
    id: 'rpc.call.known-slots.01',
    title: 'All the time a call reads what its block has, the first block of the chain too',
    area: 'call',
    rules: ['RPC-CALL-18', 'RPC-SEL-01', 'RPC-SEL-06', 'RPC-SEL-07'],
    rationale: 'Before, between and after two writes, and before the contract was there.',
  }),
  ofKnown('simulated-slots', ['rpc', 'driver'], {
    id: 'rpc.simulate.known-slots.01',
    title: 'All the time a simulation begins with what its block has, the first block too',
    area: 'simulate',
    rules: ['RPC-SIM-02', 'RPC-SEL-01', 'RPC-SEL-06', 'RPC-SEL-07'],
    rationale: 'Before, between and after two writes, and before the contract was there.',
  }),
  ofKnown('newest-calls', ['rpc', 'driver'], {
    id: 'rpc.call.known-newest.01',
    title:
      'All the time a call at the height of the newest block reads what that block has written',
    area: 'call',
    rules: ['RPC-CALL-18', 'RPC-SEL-01'],
    rationale: 'Each block writes its L1 origin first, and its first transaction tells it, too.',
  }),
  ofKnown('newest-slots', ['rpc', 'driver'], {
    id: 'rpc.storage.known-newest.01',
    title: 'All the time a slot at the height of the newest block is what that block has written',
    area: 'storage',
    rules: ['RPC-STOR-07', 'RPC-SEL-01'],
    rationale: 'Each block writes its L1 origin first, and its first transaction tells it, too.',
  }),
  ofKnown('newest-simulations', ['rpc', 'driver'], {
    id: 'rpc.simulate.known-newest.01',
    title:
      'All the time a simulation at the height of the newest block begins with what it has written',
    area: 'simulate',
    rules: ['RPC-SIM-02', 'RPC-SEL-01'],
    rationale: 'Each block writes its L1 origin first, and its first transaction tells it, too.',
  }),
  ofKnown('tip-blocks', ['rpc', 'driver'], {
    id: 'rpc.block.known-tip.01',
    title: 'All the time a block is there under its height as soon as it is the newest',
    area: 'block',
    rules: ['RPC-PEND-12', 'RPC-SEL-01', 'RPC-SEL-10'],
    rationale: 'Whoever hears of a block asks for it at once; an index that lags says null.',
  }),
  ofKnown('tip-heights', ['rpc', 'driver'], {
    id: 'rpc.block.known-heights.01',
    title: 'All the time there is no block after the newest, and capitals name the same height',
    area: 'block',
    rules: ['RPC-BLK-04', 'RPC-SEL-01'],
    rationale: 'The height that comes next is null until it is sealed: pending has no number.',
  }),
  ofKnown('tip-logs', ['rpc', 'driver'], {
    id: 'rpc.getlogs.known-tip.01',
    title:
      'All the time logs of the newest block are found: by its height, its hash and up to latest',
    area: 'logs',
    rules: ['RPC-FLT-16', 'RPC-FLT-05', 'RPC-FLT-06', 'RPC-GETLOGS-04', 'RPC-LOG-10'],
    rationale: 'An index that lags behind the head hides what everybody waits for.',
  }),
  ofKnown('ranges-past', ['rpc', 'driver'], {
    id: 'rpc.getlogs.known-past.01',
    title:
      'All the time a range past the newest block has all logs up to it, and no pending ones by number',
    area: 'logs',
    rules: ['RPC-GETLOGS-04', 'RPC-FLT-02', 'RPC-FLT-05', 'RPC-PEND-11'],
    rationale:
      'From latest, from its height and from before, to pending and to a height to come, between two blocks too.',
  }),
  ofKnown('ranges-to', ['rpc', 'driver'], {
    id: 'rpc.getlogs.known-to.01',
    title: 'All the time a range to latest has all logs up to it, and one past it has none',
    area: 'logs',
    rules: ['RPC-GETLOGS-04', 'RPC-FLT-02', 'RPC-FLT-05', 'RPC-PEND-11'],
    rationale: 'From latest, from its height and from before; what is pending is not in it.',
  }),
  ofKnown('absent-blocks', ['rpc', 'driver'], {
    id: 'rpc.block.known-absent.01',
    title: 'All the time a block that is not there yet is null',
    area: 'block',
    rules: ['RPC-BLK-04'],
    rationale: 'Whoever waits for a block asks for it until it is there; no other one will do.',
  }),
  ofKnown('refused-blocks', ['rpc', 'driver'], {
    id: 'rpc.block.known-refused.01',
    title: 'All the time eth_getBlockByNumber refuses to answer without a height or a flag',
    area: 'block',
    rules: ['RPC-BLK-01', 'RPC-BLK-02'],
    rationale: 'What is refused at the first look, and answered at the thirtieth, is answered.',
  }),
  ofKnown('codes', ['api'], {
    id: 'api.codes.known-again.01',
    title: 'All the time a wallet that registers again gets the code that it has, and its address',
    area: 'builder-codes',
    rules: ['BC-07', 'BC-08', 'BC-09', 'BC-10', 'BC-11', 'BC-12'],
    rationale: 'Three wallets in two spellings; a code that changes once splits what they earn.',
  }),
  ofKnown('refused-codes', ['api'], {
    id: 'api.codes.known-refused.01',
    title: 'All the time what is no wallet gets no code',
    area: 'builder-codes',
    rules: ['BC-05', 'BC-06'],
    rationale: 'What is refused at the first look, and registered at the thirtieth, is registered.',
  }),
  ofKnown('documents', ['prover'], {
    id: 'attestation.known.bound.01',
    title: 'All the time each document binds the user data and the nonce that were asked for',
    area: 'attestation',
    rules: [
      ...['ATT-07', 'ATT-08', 'HOST-RPC-06', 'HOST-RPC-07', 'HOST-RPC-11', 'HOST-RPC-12'],
      ...['LIM-04', 'LIM-05'],
    ],
    rationale:
      'User data and nonces of eight lengths, and both as long as they may be; a document of another challenge lets the wrong one in.',
  }),
  ofKnown('health', ['prover'], {
    id: 'prover.health.known.01',
    title:
      'All the time a host that was healthy once is healthy, by GET and by JSON-RPC, and tells the same keys',
    area: 'prover',
    rules: [
      ...['HOST-HEALTH-03', 'HOST-HEALTH-05', 'HOST-HEALTH-06', 'HOST-HEALTH-07'],
      ...['HOST-RPC-02', 'HOST-RPC-04'],
    ],
    rationale: 'While it proves, and beside all other requests; load balancers ask all the time.',
  }),
  ofKnown('refused-documents', ['prover'], {
    id: 'prover.attestation.known-refused.01',
    title: 'All the time user data that is too long, and a wrong count of nonces, are -32602',
    area: 'prover',
    rules: ['ERR-06', 'ERR-07', 'SAFE-06'],
    rationale: 'What is refused at the first look, and answered at the thirtieth, is answered.',
  }),
  ofKnown('enclave-keys', ['enclave'], {
    id: 'enclave.kinds.known-key.01',
    title: 'All the time an enclave gives its one key, in one response, and closes',
    area: 'enclave',
    rules: ['ENC-KIND-02', 'ENC-PROTO-03', 'ENC-PROTO-04', 'ENC-PROTO-07'],
    rationale: 'The key is made once, at boot; asked for again and again.',
  }),
  ofKnown('enclave-documents', ['enclave'], {
    id: 'enclave.kinds.known-document.01',
    title:
      'All the time an enclave gives a new document of its key and of what was asked, in one response, and closes',
    area: 'enclave',
    rules: [
      ...['ENC-KIND-03', 'ENC-PROTO-03', 'ENC-PROTO-04', 'ENC-PROTO-07', 'ATT-02', 'ATT-03'],
      ...['ATT-04', 'ATT-05', 'ATT-06', 'ATT-07', 'ATT-08', 'ATT-09', 'ATT-11', 'ATT-12'],
      'SAFE-07',
    ],
    rationale:
      'User data of five lengths; asked for again and again. None is kept, registers stay, time does not go back.',
  }),
])
