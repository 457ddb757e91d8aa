import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'

/** Whole numbers only on the axis: there is no half block. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100]

/** Bars over time or position, with the same in words for whoever does not see them. */
export function Chart({
  title,
  values,
  labels,
  describe,
}: {
  title: string
  /** Left to right. */
  values: number[]
  labels: number[]
  describe: string
}) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(undefined)
  useEffect(() => {
    const element = place.current!
    // The canvas knows no variables: the element tells what they come to, in the theme of the moment.
    const colour = (name: string) => () => {
      element.style.color = `var(${name})`
      return getComputedStyle(element).color
    }
    const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line'), width: 1 } }
    chart.current = new UPlot(
      {
        width: element.clientWidth || 600,
        height: 160,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_plot, _low, high) => [0, Math.max(1, high)] } },
        axes: [
          { ...axis, incrs: WHOLE_STEPS },
          { ...axis, size: 80 },
        ],
        series: [
          {},
          {
            stroke: colour('--accent'),
            fill: colour('--accent'),
            paths: UPlot.paths.bars!({ size: [0.7, 24] }),
            points: { show: false },
          },
        ],
      },
      [[], []],
      element,
    )
    const resized = new ResizeObserver(() =>
      chart.current?.setSize({ width: element.clientWidth, height: 160 }),
    )
    resized.observe(element)
    return () => {
      resized.disconnect()
      chart.current?.destroy()
    }
  }, [])
  useEffect(() => chart.current?.setData([labels, values]), [labels, values])
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div ref={place} role="img" aria-label={`${title}: ${describe}`} />
    </figure>
  )
}
