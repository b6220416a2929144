/** What a server lists, each with a notification of its own for when it changes. */
export const lists = ['tools', 'prompts', 'resources'] as const

export type ListName = (typeof lists)[number]

export const changedMethod = (list: ListName): string => `notifications/${list}/list_changed`

/** Watchers that are told in one turn of the event loop: each may write three messages, and there are thousands. */
const AT_ONCE = 50

type Watcher = (list: ListName) => void

interface Round {
  readonly changed: readonly ListName[]
  /** Who is to be told yet. */
  readonly watchers: Watcher[]
}

/** Tells whoever watches that a list is another one now, for all callers alike. */
export class ListChanges {
  readonly #watchers = new Set<Watcher>()
  /** One after another, each with whoever watched when it began. */
  readonly #rounds: Round[] = []

  /** @returns what ends it */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** To be called by what changed them, once the new lists are those that are served. */
  changed(...changed: readonly ListName[]): void {
    this.#rounds.push({ changed, watchers: [...this.#watchers] })
    if (this.#rounds.length === 1) this.#tell()
  }

  readonly #tell = (): void => {
    const { changed, watchers } = this.#rounds[0]!
    const next = watchers.splice(0, AT_ONCE)
    if (watchers.length === 0) this.#rounds.shift()
    if (this.#rounds.length > 0) setImmediate(this.#tell)
    for (const watcher of next) if (this.#watchers.has(watcher)) for (const list of changed) watcher(list)
  }
}
