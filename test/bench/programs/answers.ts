import { startForge } from '../../forge/index.ts'

/*
 * What the forge of the benchmark answers: records of the sandbox forge as it writes them, and two answers as large as a
 * forge may send.
 */

const ROCKET = '/api/v4/projects/acme%2Frocket'

const recorded = [
  '/api/v4/user',
  ROCKET,
  `${ROCKET}/merge_requests`,
  `${ROCKET}/merge_requests/1`,
  `${ROCKET}/issues`,
  `${ROCKET}/issues/1`,
  `${ROCKET}/pipelines`,
  `${ROCKET}/repository/tree`
]

/** Below the longest that an answer may be. */
const LARGE_BYTES = 10_000_000
const LARGE_RECORDS = 2_500
const LARGE_PATH = '/api/v4/projects/acme%2Flarge/issues'

export const LOG_PATH = `${ROCKET}/jobs/9/trace`
export const LOG_BYTES = 200_000_000

/** Headers that are of one connection, or that are written anew. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'])

/** @returns whole HTTP answers by path */
export async function answers(): Promise<ReadonlyMap<string, Buffer>> {
  const forge = await startForge({ sample: true })
  const headers = { 'private-token': forge.tokens.ada! }
  const all = new Map<string, Buffer>()
  for (const path of recorded) {
    const answer = await fetch(forge.url + path, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    const body = await answer.text()
    all.set(path, whole([...answer.headers], body))
    if (path.endsWith('/issues')) all.set(LARGE_PATH, whole([...answer.headers], large(JSON.parse(body))))
  }
  await forge.close()
  return all
}

/** Many records of much text. */
function large(issues: readonly Record<string, unknown>[]): string {
  const bare = JSON.stringify(issues[0]).length
  const description = 'The upload stops after *30 s* when the mirror is far away.\n'
    .repeat(200)
    .slice(0, LARGE_BYTES / LARGE_RECORDS - bare)
  const records = Array.from({ length: LARGE_RECORDS }, (_, at) => ({
    ...issues[at % issues.length],
    iid: at + 1,
    description
  }))
  return JSON.stringify(records)
    .slice(0, -1)
    .padEnd(LARGE_BYTES - 1)
    .concat(']')
}

function whole(headers: readonly (readonly [string, string])[], body: string): Buffer {
  const lines = headers
    .filter(([name]) => !ofConnection.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(
    ['HTTP/1.1 200 OK', ...lines, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
  )
}

/** About 64 KiB of a log, in whole lines. */
export function logPiece(): Buffer {
  const lines = Array.from(
    { length: 800 },
    (_, at) =>
      `2026-11-22T06:00:${String(at % 60).padStart(2, '0')}Z 00O \u001b[32;1m✓\u001b[0m test ${at} of the mirror ends in time (31 ms)\n`
  )
  return Buffer.from(lines.join(''))
}
