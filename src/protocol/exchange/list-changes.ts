/** The lists of a server, each with its own notification of changes. */
export const lists = ['tools', 'prompts', 'resources'] as const

export type ListName = (typeof lists)[number]

export const changedMethod = (list: ListName): string => `notifications/${list}/list_changed`

/**
 * Watchers that are notified in one turn of the event loop: each may write three messages, and there may be thousands.
 */
const AT_ONCE = 50

type Watcher = (list: ListName) => void

interface Round {
  readonly changed: readonly ListName[]
  /** Watchers that are not notified yet. */
  readonly watchers: Watcher[]
}

/** Notifies watchers that a list has changed, for all callers alike. */
export class ListChanges {
  readonly #watchers = new Set<Watcher>()
  /** Rounds of notifications, one after another. Each round has the watchers that were there when it began. */
  readonly #rounds: Round[] = []

  /** @returns a function that ends the watch */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Notifies all watchers. To be called after lists have changed, once the new ones are served. */
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
