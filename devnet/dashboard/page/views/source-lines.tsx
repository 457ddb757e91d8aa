import type { CodeSource, MappedInstruction } from '../../code-source.ts'

const AROUND = 10

/** The source around a statement, which is marked. */
export function SourceLines(props: { source: CodeSource; place: MappedInstruction }) {
  const { file, line, lastLine } = props.place
  const { path, text } = props.source.files[file]!
  const first = Math.max(1, line - AROUND)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section class="scroll source" aria-label={`Source ${path}`} tabIndex={0}>
      <ol start={first}>
        {text
          .split('\n')
          .slice(first - 1, lastLine + AROUND)
          .map((words, index) => {
            const isHere = first + index >= line && first + index <= lastLine
            return (
              <li key={first + index} aria-current={isHere ? 'step' : undefined}>
                <code>{words || ' '}</code>
              </li>
            )
          })}
      </ol>
    </section>
  )
}
