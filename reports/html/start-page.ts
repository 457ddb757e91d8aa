import type { PageElement, PageEvent, PageWindow } from './page-dom.ts'

/**
 * Runs in the reader's browser: its source text is put into the page, so it may use nothing from
 * outside. The URL's hash is the whole state: `#/case/<id>?q=words&verdict=fail,unknown&area=logs`.
 */
export function startPage(): void {
  const page = globalThis as unknown as PageWindow
  const { document } = page
  const all = (selector: string) => Array.from(document.querySelectorAll(selector))
  const byId = (id: string) => document.getElementById(id) as PageElement
  const search = byId('search')
  const area = byId('area')
  const items = all('#list li')
  const chips = all('.chip')

  function readHash() {
    const [path = '', query = ''] = page.location.hash.replace(/^#/, '').split('?')
    const filter = new URLSearchParams(query)
    const verdicts = (filter.get('verdict') ?? '').split(',').filter(Boolean)
    return {
      path: decodeURIComponent(path || '/'),
      q: filter.get('q') ?? '',
      area: filter.get('area') ?? '',
      verdicts,
    }
  }

  function hashOf(path: string): string {
    const filter = new URLSearchParams()
    if (search.value.trim()) filter.set('q', search.value.trim())
    const verdicts = chips.filter(isPressed).map((chip) => chip.dataset.verdict)
    if (verdicts.length) filter.set('verdict', verdicts.join(','))
    if (area.value) filter.set('area', area.value)
    const query = filter.toString().replaceAll('%2C', ',')
    return `#${path}${query ? `?${query}` : ''}`
  }

  function isPressed(chip: PageElement) {
    return chip.getAttribute('aria-pressed') === 'true'
  }

  function applyFilter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const verdicts = chips.filter(isPressed).map((chip) => chip.dataset.verdict)
    let shown = 0
    for (const item of items) {
      const { text = '', verdict, area: itemArea } = item.dataset
      const fits =
        words.every((word) => text.includes(word)) &&
        (verdicts.length === 0 || verdicts.includes(verdict)) &&
        (!area.value || area.value === itemArea)
      item.hidden = !fits
      if (fits) shown += 1
    }
    for (const group of all('#list section')) {
      group.hidden = !Array.from(group.querySelectorAll('li')).some((item) => !item.hidden)
    }
    byId('shown').textContent = `${shown} of ${items.length} cases`
  }

  function filterChanged() {
    applyFilter()
    page.history.replaceState(null, '', hashOf(readHash().path))
  }

  function show() {
    const state = readHash()
    search.value = state.q
    area.value = state.area
    for (const chip of chips) {
      const pressed = state.verdicts.includes(chip.dataset.verdict ?? '')
      chip.setAttribute('aria-pressed', String(pressed))
    }
    applyFilter()
    const wanted = state.path.startsWith('/case/') ? `case:${state.path.slice(6)}` : state.path
    const articles = all('main article')
    const found = articles.find((article) => article.dataset.route === wanted)
    const current = found ?? articles.find((article) => article.dataset.route === '/')
    for (const article of articles) article.hidden = article !== current
    for (const link of all('[data-link]')) {
      const isCurrent = link.dataset.link === current?.dataset.route
      if (!isCurrent) link.removeAttribute('aria-current')
      else {
        link.setAttribute('aria-current', 'page')
        link.scrollIntoView({ block: 'nearest' })
      }
    }
    document.title = `${current?.dataset.title ?? 'Conformance'} · rollbed`
    document.querySelector('main')?.scrollTo(0, 0)
  }

  function follow(link: PageElement) {
    const route = link.dataset.link ?? '/'
    page.location.hash = hashOf(route.startsWith('case:') ? `/case/${route.slice(5)}` : route)
    // At once: the event comes later, and the next key or click must count from here.
    show()
  }

  function step(by: number) {
    const links = items.filter((item) => !item.hidden).map((item) => item.querySelector('a'))
    const at = links.findIndex((link) => link?.getAttribute('aria-current'))
    const next = links[Math.min(Math.max(at + by, 0), links.length - 1)]
    if (!next) return
    follow(next)
    next.focus()
  }

  function copy(button: PageElement) {
    const command = button.closest('.repro')?.querySelector('code')?.textContent ?? ''
    const done = page.navigator.clipboard?.writeText(command) ?? Promise.reject()
    const say = (text: string) => {
      button.textContent = text
    }
    done.then(
      () => say('Copied'),
      () => say('Select the line to copy it'),
    )
  }

  function pressed(event: PageEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName)
    if (event.key === 'Escape' && event.target === search) {
      search.value = ''
      search.blur()
      return filterChanged()
    }
    if (typing) return
    const action = {
      '/': () => search.focus(),
      j: () => step(1),
      k: () => step(-1),
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      c: () => {
        const button = document.querySelector('main article:not([hidden]) .copy')
        if (button) copy(button)
      },
      '?': () => byId('help').showModal?.(),
    }[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  search.addEventListener('input', filterChanged)
  area.addEventListener('change', filterChanged)
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(!isPressed(chip)))
      filterChanged()
    })
  }
  for (const link of all('[data-link]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      follow(link)
    })
  }
  for (const button of all('.copy')) button.addEventListener('click', () => copy(button))
  page.addEventListener('hashchange', show)
  document.addEventListener('keydown', pressed)
  show()
}
