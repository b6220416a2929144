import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './listen.ts'

/** The reason to skip tests with Prometheus; false if it is installed. */
export const withoutPrometheus = (() => {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'prometheus is not installed (apt-get install prometheus)'
  }
})()

interface Scraped {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

interface Prometheus {
  readonly url: string
  /** Everything that it has written to its log. */
  log(): string
  /**
   * A GET of its HTTP API, as in get('rules').
   * @returns the `data` of the answer
   */
  get<T>(path: string): Promise<T>
  /** The series that a query gives now. */
  query(text: string): Promise<Scraped[]>
}

interface Config {
  /** Seconds between scrapes. A scrape may take as long. */
  readonly interval: number
  readonly rules?: readonly string[]
  readonly jobs: readonly object[]
}

/** Starts a real Prometheus on loopback. It is stopped after the test. */
export async function startPrometheus(
  t: Pick<Test, 'teardown'>,
  { interval, rules = [], jobs }: Config
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const every = `${interval}s`
  const config = {
    global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: '1s' },
    rule_files: rules,
    scrape_configs: jobs
  }
  // YAML includes JSON.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const url = `http://127.0.0.1:${await freePort()}`
  const flags = {
    'config.file': join(folder, 'prometheus.yml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': new URL(url).host
  }
  const child = spawn(
    'prometheus',
    Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    { stdio: ['ignore', 'ignore', 'pipe'] }
  )
  let log = ''
  child.stderr.on('data', chunk => {
    log += chunk
  })
  t.teardown(async () => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })
  const get = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`${url}/api/v1/${path}`)).json()) as { data: T }).data
  return {
    url,
    log: () => log,
    get,
    query: async text => (await get<{ result: Scraped[] }>(`query?query=${encodeURIComponent(text)}`)).result
  }
}
