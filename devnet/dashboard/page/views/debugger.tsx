import { useState } from 'preact/hooks'
import type { CodeSource } from '../../code-source.ts'
import type { FrameJson, Hex, StepJson } from '../json-types.ts'
import { loadSources } from '../load-sources.ts'
import { usePlace } from '../location.ts'
import { count, Shown, Table, TransactionLink } from '../parts.tsx'
import {
  type DebugStep,
  debugSteps,
  framesOf,
  isCreation,
  type Move,
  moveFrom,
} from '../step-list.ts'
import { useDevnet } from '../use-live.ts'
import { useLoaded } from '../use-loaded.ts'
import { OpenFrames } from './open-frames.tsx'
import { SeenStorage } from './seen-storage.tsx'
import { SourceLines } from './source-lines.tsx'

interface Recording {
  steps: DebugStep[]
  sourceOf: (frame: FrameJson) => CodeSource | undefined
}

/** A transaction, one line of its sources at a time, there and back. */
export function Debugger({ id }: { id: string }) {
  const { node } = useDevnet()
  const recording = useLoaded(() => record(id as Hex, node), [id])
  return (
    <>
      <h1>Step by step</h1>
      <p>
        Transaction <TransactionLink hash={id as Hex} />
      </p>
      <Shown loaded={recording}>
        {(of) =>
          of.steps.length > 0 ? <Player of={of} /> : <p>It ran no code: there are no steps.</p>
        }
      </Shown>
    </>
  )
}

type Node = ReturnType<typeof useDevnet>['node']

async function record(hash: Hex, node: Node): Promise<Recording> {
  const trace = <T,>(options: object) =>
    node.call<T>('debug_traceTransaction', [hash, { timeout: '60s', ...options }])
  const [{ structLogs }, root] = await Promise.all([
    trace<{ structLogs: StepJson[] }>({ disableStorage: true }),
    trace<FrameJson>({ tracer: 'callTracer' }),
  ])
  const frames = framesOf(structLogs, root)
  const codes = new Map<FrameJson, { code: Hex; isCreation: boolean }>()
  for (const { frame } of new Set(frames)) {
    const code = isCreation(frame) ? frame.input : await codeAt(frame.to!, node)
    codes.set(frame, { code, isCreation: isCreation(frame) })
  }
  const sources = await loadSources([...codes.values()])
  const sourceOf = (frame: FrameJson) => sources[[...codes.keys()].indexOf(frame)] ?? undefined
  return { steps: debugSteps(structLogs, frames, sourceOf), sourceOf }
}

const DELEGATION = '0xef0100'

/** Of an account that delegates, what it delegates to (EIP-7702). */
async function codeAt(address: Hex, node: Node): Promise<Hex> {
  const code = await node.call<Hex>('eth_getCode', [address, 'pending'])
  if (!code.startsWith(DELEGATION)) return code
  return node.call<Hex>('eth_getCode', [`0x${code.slice(DELEGATION.length)}`, 'pending'])
}

const MOVES: readonly { move: Move; label: string; key: string }[] = [
  { move: 'back', label: 'Back', key: 'b' },
  { move: 'over', label: 'Next line', key: 'n' },
  { move: 'into', label: 'Into', key: 'i' },
  { move: 'out', label: 'Out', key: 'o' },
]

function Player({ of: { steps, sourceOf } }: { of: Recording }) {
  const asked = Number(usePlace().query.get('step') ?? Number.NaN)
  const firstLine = Math.max(
    0,
    steps.findIndex(({ place }) => place),
  )
  const [at, setAt] = useState(steps[asked] ? asked : firstLine)
  const go = (index: number | undefined) => {
    if (index === undefined || !steps[index]) return
    setAt(index)
    // A link to this moment. The page is not changed by it.
    history.replaceState(null, '', `?step=${index}`)
  }
  const now = steps[at]!
  const source = sourceOf(now.running.frame)
  const onKey = (event: KeyboardEvent) => {
    const found = MOVES.find(({ key }) => key === event.key)
    if (found && !event.ctrlKey && !event.metaKey && !event.altKey)
      go(moveFrom(steps, at, found.move))
  }
  return (
    // Keys count while the focus is in here, so that they are in nobody's way.
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same.
    <div onKeyDown={onKey}>
      <div class="buttons">
        {MOVES.map(({ move, label, key }) => (
          <button
            key={move}
            type="button"
            aria-keyshortcuts={key}
            aria-disabled={moveFrom(steps, at, move) === undefined}
            onClick={() => go(moveFrom(steps, at, move))}
          >
            {label} ({key})
          </button>
        ))}
        <button type="button" aria-disabled={at === 0} onClick={() => go(at - 1)}>
          − instruction
        </button>
        <button type="button" aria-disabled={at + 1 === steps.length} onClick={() => go(at + 1)}>
          + instruction
        </button>
      </div>
      <label class="steps">
        Instruction {count(at + 1)} of {count(steps.length)}
        <input
          type="range"
          min={0}
          max={steps.length - 1}
          value={at}
          onInput={({ currentTarget }) => go(Number(currentTarget.value))}
        />
      </label>
      <p role="status">{saidOf(now, source)}</p>
      <div class="beside">
        <div>
          {source && now.place ? (
            <SourceLines source={source} place={now.place} />
          ) : (
            <p class="dim">
              {source
                ? 'This instruction belongs to no line: the compiler put it there.'
                : 'Of this code no source is known: start with --artifacts and the folder of your compiler, with source maps.'}
            </p>
          )}
        </div>
        <div>
          <h2>Calls that are open</h2>
          <OpenFrames of={now.running} sourceOf={sourceOf} />
          <h2>Storage so far</h2>
          <SeenStorage steps={steps} at={at} />
        </div>
      </div>
      <Instructions steps={steps} at={at} />
      <h2>Stack</h2>
      <Table
        title="The top is first"
        empty="It is empty."
        columns={['Place', 'Word']}
        rows={now.step.stack.toReversed().map((word, index) => ({
          key: index,
          cells: [index, <code key="w">{word}</code>],
        }))}
      />
    </div>
  )
}

/** For those who hear the page. */
function saidOf({ step, place }: DebugStep, source: CodeSource | undefined): string {
  const failure = step.error ? ` It fails here: ${step.error}.` : ''
  if (!place || !source) return `${step.op} at ${step.pc}.${failure}`
  const { path, text } = source.files[place.file]!
  return `${path}, line ${place.line}: ${text.split('\n')[place.line - 1]!.trim()}${failure}`
}

const AROUND = 4

function Instructions({ steps, at }: { steps: DebugStep[]; at: number }) {
  const first = Math.max(0, at - AROUND)
  return (
    <>
      <h2>Instructions</h2>
      <Table
        title="Around this one"
        columns={['Step', 'At', 'Instruction', 'Gas left', 'Costs', 'Depth']}
        rows={steps.slice(first, at + AROUND + 1).map(({ step }, index) => ({
          key: first + index,
          cells: [
            first + index === at ? (
              <strong key="n">{count(at + 1)} now</strong>
            ) : (
              count(first + index + 1)
            ),
            step.pc,
            <code key="o" class="short">
              {step.op}
            </code>,
            ...[count(step.gas), count(step.gasCost), step.depth],
          ],
        }))}
      />
    </>
  )
}
