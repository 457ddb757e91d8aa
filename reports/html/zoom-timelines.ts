import type { PageElement, PageEvent, PageWindow } from './page-dom.ts'

/**
 * Runs in the reader's browser like `startPage`, so it may use nothing from outside. A timeline is zoomed by
 * its view box: the wheel or `+` and `-`, moved by the arrows, whole again by `0`.
 */
export function zoomTimelines(): void {
  const { document } = globalThis as unknown as PageWindow
  const WHOLE = 1000
  const CLOSEST = 2

  function zoom(svg: PageElement): void {
    const duration = Number(svg.dataset.duration)
    const axis = svg.closest('.timeline')?.querySelectorAll('.axis span')
    const height = svg.getAttribute('height')
    let from = 0
    let width = WHOLE

    function look(left: number, wide: number): void {
      width = Math.min(WHOLE, Math.max(CLOSEST, wide))
      from = Math.min(WHOLE - width, Math.max(0, left))
      svg.setAttribute('viewBox', `${from} 0 ${width} ${height}`)
      const ends = [from, from + width]
      for (const [index, end] of ends.entries()) {
        const label = axis?.[index]
        if (label) label.textContent = `${((end / WHOLE) * duration * 0.001).toFixed(1)} s`
      }
    }

    /** @param at the share of the width that stays where it is */
    function closer(by: number, at: number): void {
      const kept = from + at * width
      const wide = Math.min(WHOLE, Math.max(CLOSEST, width * by))
      look(kept - at * wide, wide)
    }

    function pressed(event: PageEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const action = {
        '+': () => closer(0.5, 0.5),
        '=': () => closer(0.5, 0.5),
        '-': () => closer(2, 0.5),
        ArrowLeft: () => look(from - width / 4, width),
        ArrowRight: () => look(from + width / 4, width),
        '0': () => look(0, WHOLE),
      }[event.key]
      if (!action) return
      event.preventDefault()
      event.stopPropagation()
      action()
    }

    svg.addEventListener('keydown', pressed)
    svg.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        const { left, width: pixels } = svg.getBoundingClientRect()
        if (event.deltaX !== 0) look(from + (event.deltaX / pixels) * width, width)
        else closer(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - left) / pixels)
      },
      { passive: false },
    )
  }

  for (const svg of Array.from(document.querySelectorAll('svg.zoom'))) zoom(svg)
}
