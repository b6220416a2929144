import { readFile } from 'node:fs/promises'

/** What the machine's own files say about names. */
export interface HostFacts {
  /** Addresses by lower-case name (/etc/hosts). */
  readonly hosts: ReadonlyMap<string, readonly string[]>
  /** Domains in which short names are looked for, in order (`search` of /etc/resolv.conf). */
  readonly search: readonly string[]
  /** Names with fewer dots are first looked up in these domains. */
  readonly ndots: number
  /** The text of /etc/resolv.conf; when it changes, the name servers may have changed. */
  readonly resolver: string
}

const FRESH_MS = 10_000

/** Reads these files when needed, and again after ten seconds. A missing file counts as empty. */
export class HostFiles {
  readonly #paths: { readonly hosts: string; readonly resolver: string }
  readonly #now: () => number
  #facts: Promise<HostFacts> | undefined
  #readAt = 0

  /** @param now clock in milliseconds */
  constructor(
    paths = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' },
    now: () => number = () => performance.now()
  ) {
    this.#paths = paths
    this.#now = now
  }

  read(): Promise<HostFacts> {
    if (this.#facts === undefined || this.#now() - this.#readAt >= FRESH_MS) {
      this.#readAt = this.#now()
      this.#facts = this.#readNow()
    }
    return this.#facts
  }

  async #readNow(): Promise<HostFacts> {
    const [hosts, resolver] = await Promise.all([textOf(this.#paths.hosts), textOf(this.#paths.resolver)])
    return { hosts: readHosts(hosts), ...readSearch(resolver), resolver }
  }
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of linesOf(text, '#')) {
    const [address, ...names] = line
    for (const name of names) {
      const key = name.toLowerCase()
      hosts.set(key, [...(hosts.get(key) ?? []), address!])
    }
  }
  return hosts
}

/** resolv.conf(5): the last `search` or `domain` counts, and options add up. */
function readSearch(text: string): Pick<HostFacts, 'search' | 'ndots'> {
  let search: string[] = []
  let ndots = 1
  for (const [keyword, ...values] of linesOf(text, '#;')) {
    if (keyword === 'search' || keyword === 'domain') search = values.filter(domain => domain !== '.')
    if (keyword !== 'options') continue
    const dots = /^ndots:(\d{1,2})$/.exec(values.find(value => value.startsWith('ndots:')) ?? '')?.[1]
    if (dots !== undefined) ndots = Math.min(15, Number(dots))
  }
  return { search, ndots }
}

const linesOf = (text: string, comment: string): string[][] =>
  text
    .split('\n')
    .map(line => line.split(new RegExp(`[${comment}]`))[0]!.trim())
    .filter(line => line !== '')
    .map(line => line.split(/\s+/))
