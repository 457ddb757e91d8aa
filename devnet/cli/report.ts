import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import type { ReportFormat, RunResult } from '#reports/index'
import { fitsProfile, PROFILES, type Profile } from '#suites/gate/conformance/conformance-case'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { oneOf, url } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

/** Where reports go when only `--format` is given. */
export const DEFAULT_REPORT_FOLDER = 'rollbed-reports'
export const OUT_HELP = `write reports into this folder (default with --format: ${DEFAULT_REPORT_FOLDER})`

const OUTPUT_FLAGS = {
  out: text('<dir>', OUT_HELP),
  format: text('<list>', 'of html, json, junit, ctrf, sarif, md, badge (default: html,json)'),
  json: on('print the run as JSON'),
}

type OutputFlags = FlagsOf<typeof OUTPUT_FLAGS>

const DIFF = {
  name: 'diff',
  says: 'Show how verdicts changed; exit 1 when a case fails that did not before, unless the case is newer than the first run.',
  takes: { '<before>': 'a recorded run', '<after>': 'another' },
  flags: { json: on('print the difference as JSON') },
  examples: ['rollbed report diff before.json after.json'],
} as const satisfies CommandTable

const SITE = {
  name: 'site',
  says: 'Make one static page of all runs below DIR/runs, a folder for each target; runs given are added first.',
  takes: { '<dir>': 'of the site', '[run...]': 'runs to add' },
  flags: {
    target: text('<name>', 'what the added runs judged (default: the host of its RPC URL)'),
    commits: value('<url>', 'where builds lead: what stands before the name of one', url),
    json: on('print what the page shows as JSON'),
  },
  examples: ['rollbed report site site rollbed-reports --target ours'],
} as const satisfies CommandTable

const QUERY = {
  name: 'query',
  says: 'Say which rules are broken in the last run of each target, since when, by which build, and what repeats it.',
  takes: { '<path...>': 'folders of a site, and recorded runs' },
  flags: {
    rule: text('<glob>', 'only these rules, separated by commas'),
    target: text('<glob>', 'only these targets'),
    json: on('print the rules as JSON'),
  },
  examples: ["rollbed report query site --rule 'RPC-PEND-*'"],
} as const satisfies CommandTable

const SIGN = {
  name: 'sign',
  says: 'Put a run into a DSSE envelope signed with ed25519, and print it.',
  takes: { '<run>': 'a recorded run' },
  flags: {
    key: text('<file>', 'private key in PEM: openssl genpkey -algorithm ed25519', {
      isRequired: true,
    }),
    out: text('<file>', 'write the envelope here instead'),
  },
  examples: ['rollbed report sign rollbed-reports --key key.pem --out run.dsse'],
} as const satisfies CommandTable

const VERIFY = {
  name: 'verify',
  says: 'Check the signature of a run and say how it went; exit 1 when it does not fit.',
  takes: { '<envelope>': "of 'rollbed report sign'" },
  flags: {
    key: text('<file>', 'public key in PEM: openssl pkey -in KEY -pubout', { isRequired: true }),
    badge: text('<file>', 'write a green badge, if nothing failed and nothing was left out'),
    json: on('print the run as JSON'),
  },
  examples: ['rollbed report verify run.dsse --key public.pem --badge badge.svg'],
} as const satisfies CommandTable

const MERGE = {
  name: 'merge',
  says: 'Make one run of the shards of a run; each a folder of reports or a JSON file.',
  takes: { '<run...>': 'the shards' },
  flags: OUTPUT_FLAGS,
  examples: ['rollbed report merge shard-1 shard-2 --out merged'],
} as const satisfies CommandTable

const REJUDGE = {
  name: 'rejudge',
  says: 'Judge recorded verdicts again by other expectations, profile or strictness. What the target answered is not judged again.',
  takes: { '<file>': 'a recorded run' },
  flags: {
    ...OUTPUT_FLAGS,
    expect: text('<file>', 'known failures, with reason and expiry'),
    profile: value('<name>', 'only cases of this profile', oneOf(PROFILES)),
    strict: on('a `should` that is not met fails'),
    at: value('<date>', 'day by which expectations expire', day),
  },
  examples: ['rollbed report rejudge rollbed-reports --expect known.yaml'],
} as const satisfies CommandTable

type RejudgeFlags = FlagsOf<typeof REJUDGE.flags>

/** `rollbed report`: works on recorded runs, offline. */
export function addReportCommand(program: Command, finish: (exitCode: number) => void): void {
  const report = addCommand(program, {
    name: 'report',
    says: 'Compare, merge and judge again runs that `conform --format json` recorded.',
    examples: ['rollbed report diff before.json after.json'],
  })

  addCommand(report, DIFF).action(
    async (before: string, after: string, flags: FlagsOf<typeof DIFF.flags>) => {
      const { describeDiff, diffRuns } = await import('#reports/index')
      const diff = diffRuns(await readRun(before), await readRun(after))
      console.log(flags.json ? jsonOf('report diff', diff) : describeDiff(diff))
      finish(diff.regressions.length > 0 ? ExitCode.failed : ExitCode.ok)
    },
  )

  addCommand(report, SITE).action(
    async (dir: string, paths: string[], flags: FlagsOf<typeof SITE.flags>) => {
      const { addToSite, writeSite } = await import('#reports/index')
      for (const path of paths) {
        const run = await readRun(path)
        await addToSite(dir, flags.target ?? nameOf(run), run)
      }
      const { files, site } = await ofSite(() =>
        writeSite(dir, { ...(flags.commits && { commits: flags.commits }) }),
      )
      if (site.targets.length === 0) {
        throw new UsageError(
          `There is no run in ${dir}/runs.`,
          'Name runs to add after the folder.',
        )
      }
      for (const file of files) console.error(`wrote ${file}`)
      if (flags.json) console.log(jsonOf('report site', site))
      finish(ExitCode.ok)
    },
  )

  addCommand(report, QUERY).action(
    async (paths: string[], { rule = '*', target = '*', json }: FlagsOf<typeof QUERY.flags>) => {
      const { brokenRules, describeBroken, readRunsOf } = await import('#reports/index')
      const { matchesId } = await import('#suites/gate/conformance/index')
      const runs = await Promise.all(
        paths.map(async (path) => {
          const kept = await ofSite(() => readRunsOf(path))
          if (kept.length > 0) return kept
          const run = await readRun(path)
          return [{ target: nameOf(run), run }]
        }),
      )
      const rules = runs.flat().flatMap(({ run }) => run.rules.map(({ id }) => id))
      if (rule !== '*' && !rules.some((id) => matchesId(id, rule)))
        throw new UsageError(
          `No run says anything of a rule that fits --rule ${rule}.`,
          'Give an id such as RPC-PEND-05, or a glob such as "RPC-PEND-*".',
        )
      const targets = new Set(runs.flat().map((named) => named.target))
      if (![...targets].some((name) => matchesId(name, target)))
        throw new UsageError(
          `No run is of a target that fits --target ${target}.`,
          `They are of ${[...targets].join(', ')}.`,
        )
      const broken = brokenRules(
        runs.flat(),
        (id, name) => matchesId(id, rule) && matchesId(name, target),
      )
      console.log(json ? jsonOf('report query', broken) : describeBroken(broken))
      finish(ExitCode.ok)
    },
  )

  addCommand(report, SIGN).action(async (path: string, flags: FlagsOf<typeof SIGN.flags>) => {
    const { signRun } = await import('#reports/index')
    await readRun(path)
    const text = await readFile(await recordIn(path), 'utf8')
    const envelope = await withKey(flags.key, (key) => signRun(text, key))
    if (flags.out) await writeFile(flags.out, `${jsonOf('report sign', envelope)}\n`)
    else console.log(jsonOf('report sign', envelope))
    finish(ExitCode.ok)
  })

  addCommand(report, VERIFY).action(async (path: string, flags: FlagsOf<typeof VERIFY.flags>) => {
    const reports = await import('#reports/index')
    const text = await readFile(path, 'utf8').catch(() => {
      throw new UsageError(`${path} cannot be read.`, "Name a file of 'rollbed report sign'.")
    })
    let run: RunResult
    try {
      run = await withKey(flags.key, (key) => reports.verifyRun(text, key))
    } catch (error) {
      if (!(error instanceof reports.BadEnvelope || error instanceof reports.NotARun)) throw error
      console.error(`This is no signed run of that key: ${error.message}.`)
      return finish(ExitCode.failed)
    }
    if (flags.json) console.log(jsonOf('report verify', run))
    else console.log(reports.summarise(run))
    const missing = flags.badge ? reports.whatIsMissing(run) : []
    if (missing.length > 0) {
      console.error(`No badge: ${missing.join(', ')}.`)
      return finish(ExitCode.failed)
    }
    if (flags.badge) await writeFile(flags.badge, reports.toBadge(run, { isWholeAndSigned: true }))
    finish(ExitCode.ok)
  })

  addCommand(report, MERGE).action(async (paths: string[], flags: OutputFlags) => {
    const { mergeRuns, RunsConflict } = await import('#reports/index')
    const runs = await Promise.all(paths.map(readRun))
    try {
      finish(await show(mergeRuns(runs), flags))
    } catch (error) {
      if (!(error instanceof RunsConflict)) throw error
      throw new UsageError(`These runs cannot be merged: ${error.message}.`)
    }
  })

  addCommand(report, REJUDGE).action(async (file: string, flags: RejudgeFlags) => {
    const { parseHistory } = await import('#reports/index')
    const codes: number[] = []
    for (const run of await readRuns(await recordIn(file), parseHistory)) {
      codes.push(await show(await rejudge(run, flags), flags))
    }
    finish(codes.find((code) => code === ExitCode.failed) ?? Math.max(...codes))
  })
}

async function readKey(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`, '--key takes a key in PEM.')
  })
}

/** @throws UsageError where the file holds no key for this */
async function withKey<T>(file: string, work: (key: string) => T): Promise<T> {
  const { BadKey } = await import('#reports/index')
  const key = await readKey(file)
  try {
    return work(key)
  } catch (error) {
    if (!(error instanceof BadKey)) throw error
    throw new UsageError(`--key ${file} cannot be used: ${error.message}.`)
  }
}

/** How a site names the target of a run that is given no name. */
function nameOf({ targets }: RunResult): string {
  const url = targets.rpc ?? targets.prover ?? targets.api
  return url && URL.canParse(url) ? new URL(url).host : 'target'
}

async function rejudge(run: RunResult, flags: RejudgeFlags): Promise<RunResult> {
  const gate = await import('#suites/gate/conformance/index')
  const { describeForStrict } = await import('#suites/gate/conformance/apply-expectations')
  const { mergeRuns, recordedCase } = await import('#reports/index')
  const profile = flags.profile ?? (run.profile as Profile)
  const cases = gate.selectCases()
  const foreign = new Set(cases.filter((test) => !fitsProfile(test, profile)).map(({ id }) => id))
  const expectations = flags.expect ? await gate.loadExpectations(flags.expect) : []
  const { results, stale } = gate.applyExpectations({
    results: run.cases
      .filter(({ id }) => !foreign.has(id))
      .map((each) => recordedCase(each, { strict: flags.strict ?? false })),
    expectations,
    today: flags.at ?? today(),
    known: [...cases, ...run.cases].map(({ id }) => id),
  })
  if (!flags.strict)
    for (const line of describeForStrict(results, expectations, flags.expect)) console.error(line)
  // Merging one run takes the verdicts of its rules anew.
  return mergeRuns([{ ...run, profile, cases: results, staleExpectations: stale }])
}

/** Writes and prints a run as `conform` does. @returns the gate's exit code */
async function show(result: RunResult, flags: OutputFlags): Promise<number> {
  const { summarise, withTotals, writeReports } = await import('#reports/index')
  const { exitCode } = await import('#suites/gate/conformance/index')
  const dir = flags.out ?? (flags.format && DEFAULT_REPORT_FOLDER)
  if (dir) {
    const formats = await formatsOf(flags.format ?? 'html,json')
    const files = await writeReports(result, { dir, formats })
    for (const file of files) console.error(`wrote ${file}`)
  }
  console.log(flags.json ? jsonOf('report merge', withTotals(result)) : summarise(result))
  return exitCode(result)
}

async function formatsOf(list: string): Promise<ReportFormat[]> {
  const { REPORT_FORMATS } = await import('#reports/index')
  const format = oneOf(REPORT_FORMATS)('--format')
  return list.split(',').map((name) => format(name))
}

/** A JSON report, or the folder that holds it. */
async function readRun(path: string): Promise<RunResult> {
  const { parseRun } = await import('#reports/index')
  return readRuns(await recordIn(path), parseRun)
}

async function recordIn(path: string): Promise<string> {
  const { REPORT_FILES } = await import('#reports/index')
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory()
  return isFolder ? join(path, REPORT_FILES.json) : path
}

/** @throws UsageError where a site holds what is no run */
async function ofSite<T>(work: () => Promise<T>): Promise<T> {
  const { NotARun } = await import('#reports/index')
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NotARun)) throw error
    throw new UsageError(
      `The site has a file that is no recorded run: ${error.message}.`,
      'Take it away, or put back what was recorded.',
    )
  }
}

async function readRuns<T>(file: string, parse: (text: string) => T): Promise<T> {
  const { NotARun } = await import('#reports/index')
  try {
    return parse(await readFile(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof NotARun ? error.message : 'it cannot be read'
    throw new UsageError(
      `${file} is no recorded run: ${reason}.`,
      'Record one with `rollbed conform --out DIR --format json`.',
    )
  }
}

function day(name: string) {
  return (date: string): string => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return date
    throw new UsageError(`${name} must be a day such as 2026-11-21, not '${date}'.`)
  }
}

function today(): string {
  // biome-ignore lint/style/noRestrictedGlobals: formats a moment the clock gave, reads none
  return new Date(systemClock.now()).toISOString().slice(0, 10)
}
