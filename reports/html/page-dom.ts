/**
 * The few parts of the DOM that the page's script touches. The rest of the project has no DOM in
 * its types, so that nobody reaches for it by mistake.
 */
export interface PageElement {
  hidden: boolean
  id: string
  value: string
  tagName: string
  textContent: string | null
  dataset: Record<string, string | undefined>
  focus(options?: { preventScroll?: boolean }): void
  blur(): void
  scrollIntoView(options: { block: 'nearest' }): void
  scrollTo(x: number, y: number): void
  setAttribute(name: string, value: string): void
  getAttribute(name: string): string | null
  removeAttribute(name: string): void
  closest(selector: string): PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement>
  addEventListener(
    name: string,
    listener: (event: PageEvent) => void,
    options?: { passive: boolean },
  ): void
  showModal?(): void
  getBoundingClientRect(): { left: number; width: number }
}

export interface PageEvent {
  key: string
  target: PageElement
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  clientX: number
  deltaX: number
  deltaY: number
  stopPropagation(): void
  preventDefault(): void
}

export interface PageWindow {
  document: PageElement & { title: string; getElementById(id: string): PageElement | null }
  location: { hash: string }
  history: { replaceState(state: null, title: string, url: string): void }
  navigator: { clipboard?: { writeText(text: string): Promise<void> } }
  addEventListener(name: string, listener: (event: PageEvent) => void): void
}
