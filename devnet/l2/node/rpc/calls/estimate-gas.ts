import { bigIntMax } from '@ethereumjs/util'
import { intrinsicGas } from '#protocol/execution/intrinsic-gas'
import type { CallRequest, GasEstimate } from './call-request.ts'
import { type CallContext, runCall } from './run-call.ts'

/** Searching further than this would cost more than the gas it saves (geth's estimator). */
const TOLERANCE = 0.015

/**
 * Searches the least gas with which the message succeeds. It is at least what a run with all gas uses
 * before refunds, and most often that suffices, which a second run shows; else it is that and the 63/64
 * that inner calls hold back, or found by halving.
 */
export async function estimateGas(
  context: CallContext,
  request: CallRequest,
  signal: AbortSignal,
): Promise<GasEstimate> {
  const succeedsWith = async (gas: bigint) => {
    signal.throwIfAborted()
    const outcome = await runCall(context, { ...request, message: { ...request.message, gas } })
    return outcome.status === 1
  }
  const widest = await runCall(context, request)
  if (widest.status === 0) return { failed: widest }

  const { gas: intrinsic, floor } = intrinsicGas(request.message)
  let tooLittle = bigIntMax(intrinsic, floor, widest.maxUsedGas) - 1n
  let enough = request.message.gas
  const probe = async (gas: bigint) => {
    if (gas <= tooLittle || gas >= enough) return
    if (await succeedsWith(gas)) enough = gas
    else tooLittle = gas
  }
  await probe(tooLittle + 1n)
  await probe(((widest.maxUsedGas + 2_300n) * 64n) / 63n)
  while (Number(enough - tooLittle) > Math.max(1, Number(enough) * TOLERANCE)) {
    await probe((tooLittle + enough) / 2n)
  }
  return { gas: enough }
}
