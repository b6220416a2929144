import type { Catalog } from '../../src/catalog/catalog.ts'
import { createDiscovery } from '../../src/catalog/discovery.ts'
import { DownloadStore } from '../../src/engine/downloads/store.ts'
import { LookupBudget } from '../../src/engine/lookup-budget.ts'
import { UnseenBudget } from '../../src/results/unseen-in-names.ts'
import { unaskable } from './unaskable.ts'

/**
 * The context of a call that nobody watches, confirms or limits. It lacks only the forge, the facts known about it, and
 * the clock.
 */
export const quietContext = (
  catalog: Catalog,
  { caller, downloadDir }: { caller: string; downloadDir: string }
) => ({
  caller,
  downloads: new DownloadStore({
    root: downloadDir,
    limits: { caller: 2 ** 30, all: 2 ** 32, keepMs: 3_600_000 },
    now: Date.now
  }).of(caller),
  discovery: createDiscovery(catalog, catalog.policy.viewOf(['all']), () => undefined),
  checkText: catalog.policy.checkText,
  // A method, as in the service: it fails if it is detached from its context.
  mayRun(this: object | undefined): boolean {
    if (this === undefined) throw new TypeError('mayRun was taken from its context')
    return true
  },
  checkShown: () => undefined,
  checkStill: () => undefined,
  follow: () => undefined,
  serves: () => true,
  client: unaskable,
  get lookups() {
    return new LookupBudget()
  },
  get unseenBudget() {
    return new UnseenBudget()
  },
  admitted: () => undefined,
  consent: () => undefined,
  progress: () => undefined,
  log: () => undefined,
  link: () => undefined,
  links: []
})
