import type { KnownKind } from '../seen/known-answers.ts'
import { callQuestions } from './call-questions.ts'
import { codeQuestions } from './code-questions.ts'
import { drawnQuestions } from './drawn-questions.ts'
import { documentQuestions, enclaveQuestions } from './enclave-questions.ts'
import { headQuestions } from './head-questions.ts'
import { healthQuestions } from './health-questions.ts'
import type { MakeQuestions } from './known-question.ts'
import { newestStateQuestions } from './newest-state-questions.ts'
import { refusedQuestions } from './refused-questions.ts'
import { sealedQuestions } from './sealed-questions.ts'
import { tipQuestions } from './tip-questions.ts'

/** Whom a kind asks: each target is asked beside the others. */
export type AskedTarget = 'rpc' | 'api' | 'prover' | 'enclave'

/** What waits for the chain, or takes several calls, is asked beside the others: they need not wait for it. */
export const KNOWN_QUESTIONS: Readonly<
  Record<KnownKind, { target: AskedTarget; make: MakeQuestions; isAlone?: true }>
> = {
  calls: { target: 'rpc', make: callQuestions.returns },
  reverts: { target: 'rpc', make: callQuestions.reverts },
  'revert-words': { target: 'rpc', make: callQuestions.revertWords },
  'drawn-calls': { target: 'rpc', make: drawnQuestions.calls },
  'drawn-simulations': { target: 'rpc', make: drawnQuestions.simulations },
  'simulated-heads': { target: 'rpc', make: headQuestions.inAll },
  'simulated-fees': { target: 'rpc', make: headQuestions.inMost },
  slots: { target: 'rpc', make: sealedQuestions.slots },
  'sealed-logs': { target: 'rpc', make: sealedQuestions.logs },
  'called-slots': { target: 'rpc', make: sealedQuestions.calledSlots },
  'simulated-slots': { target: 'rpc', make: sealedQuestions.simulatedSlots },
  'newest-calls': { target: 'rpc', make: newestStateQuestions.calls },
  'newest-slots': { target: 'rpc', make: newestStateQuestions.slots },
  'newest-simulations': { target: 'rpc', make: newestStateQuestions.simulations },
  'tip-blocks': { target: 'rpc', make: tipQuestions.blocks, isAlone: true },
  'tip-heights': { target: 'rpc', make: tipQuestions.heights },
  'tip-logs': { target: 'rpc', make: tipQuestions.logs, isAlone: true },
  'ranges-past': { target: 'rpc', make: tipQuestions.rangesPast, isAlone: true },
  'ranges-to': { target: 'rpc', make: tipQuestions.rangesTo, isAlone: true },
  'absent-blocks': { target: 'rpc', make: sealedQuestions.absentBlocks },
  'refused-calls': { target: 'rpc', make: refusedQuestions.calls },
  'refused-slots': { target: 'rpc', make: refusedQuestions.slots },
  'refused-filters': { target: 'rpc', make: refusedQuestions.filters },
  'refused-simulations': { target: 'rpc', make: refusedQuestions.simulations },
  'refused-blocks': { target: 'rpc', make: refusedQuestions.blocks },
  codes: { target: 'api', make: codeQuestions.known },
  'refused-codes': { target: 'api', make: codeQuestions.refused },
  documents: { target: 'prover', make: documentQuestions.bound },
  'refused-documents': { target: 'prover', make: documentQuestions.refused },
  health: { target: 'prover', make: healthQuestions },
  'enclave-keys': { target: 'enclave', make: enclaveQuestions.keys },
  'enclave-documents': { target: 'enclave', make: enclaveQuestions.documents },
}
