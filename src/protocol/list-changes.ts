/** What a server lists, each with a notification of its own for when it changes. */
export const lists = ['tools', 'prompts', 'resources'] as const

export type ListName = (typeof lists)[number]

export const changedMethod = (list: ListName): string => `notifications/${list}/list_changed`

/** Tells whoever watches that a list is another one now, for all callers alike. */
export class ListChanges {
  readonly #watchers = new Set<(list: ListName) => void>()

  /** @returns what ends it */
  watch(watcher: (list: ListName) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** To be called by what changed it, once the new list is the one that is served. */
  changed(list: ListName): void {
    for (const watcher of this.#watchers) watcher(list)
  }
}
