import { type CaseResult, isFailing } from '#reports/model'
import type { JudgedCase } from './judge-case.ts'

/**
 * A method that a target lacks is one failure, not one for each case that calls it: the case that asks
 * whether it is there stays failed, or else the first that needed it; the others name that one.
 */
export function blockByMissingMethod(judged: readonly JudgedCase[]): CaseResult[] {
  const present = new Set(judged.flatMap(({ methods }) => namesOf(methods, true)))
  const blockers = new Map<string, string>()
  const missingIn = ({ methods }: JudgedCase) =>
    namesOf(methods, false).filter((method) => !present.has(method))
  const broken = judged.filter(({ result }) => isBroken(result))
  for (const method of new Set(broken.flatMap(missingIn))) {
    const callers = broken.filter((each) => missingIn(each).includes(method))
    const asking = callers.find(({ result }) => result.id.includes(`.method-${kebab(method)}.`))
    const blocker = asking ?? callers.find(({ result }) => isFailing(result.verdict))
    if (blocker) blockers.set(method, blocker.result.id)
  }
  return judged.map((each) => {
    const { failure, ...result } = each.result
    const words = failure?.at ?? (result.verdict === 'unknown' ? result.reason : undefined)
    const isElsewhere = (name: string) =>
      words !== undefined && !words.includes(name) && namesOf(each.methods, true).length > 0
    // A scene may ask for more than the case that failed: what failed elsewhere is the case's own, and
    // so is what got no verdict for a reason of its own, such as a chain that stopped.
    const method = missingIn(each).find((name) => blockers.has(name) && !isElsewhere(name))
    const blocker = method && blockers.get(method)
    if (!isBroken(each.result) || !blocker || blocker === result.id) return each.result
    const isBlocker = [...blockers.values()].includes(result.id)
    if (isBlocker) return each.result
    const reason = `Blocked by ${blocker}: the target has no ${method}.`
    return { ...result, verdict: 'not-applicable', reason, blockedBy: blocker }
  })
}

function namesOf(methods: ReadonlyMap<string, boolean>, isThere: boolean): string[] {
  return [...methods].filter(([, there]) => there === isThere).map(([name]) => name)
}

function isBroken({ verdict }: CaseResult): boolean {
  return isFailing(verdict) || verdict === 'non-strict'
}

/** As case ids spell a method: `eth_getLogs` is `eth-getlogs`. */
function kebab(method: string): string {
  return method.replaceAll('_', '-').toLowerCase()
}
