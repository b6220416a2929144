import { expected } from './expected.ts'
import { startServer } from './server.ts'
import { type Failure, install, runSuite } from './suite.ts'

/*
 * The official conformance suite against the built server (npm run build first). The last published version knows
 * revisions up to 2025-11-25; the one that comes after it, 2026-07-28 too, and holds every message against the
 * schema of its revision.
 */
const runs = [
  { version: '0.1.16', revisions: ['2025-11-25'] },
  { version: '0.2.0-alpha.12', revisions: ['2025-06-18', '2025-11-25', '2026-07-28'] }
]

/** Checks of the suite that no expectation covers: what is sent is always a message of its revision. */
const always = /^wire-schema/

interface Verdict {
  passed: number
  expected: number
  unexpected: string[]
}

function judge(revision: string, scenarios: ReadonlyMap<string, readonly Failure[]>): Verdict {
  const reasons = expected[revision] ?? {}
  const verdict: Verdict = { passed: 0, expected: 0, unexpected: [] }
  for (const [name, failures] of scenarios) {
    const known = name in reasons
    const serious = known ? failures.filter(({ id }) => always.test(id)) : failures
    if (serious.length > 0)
      verdict.unexpected.push(...serious.map(({ id, why }) => `${name}: ${id}: ${why.slice(0, 500)}`))
    else if (failures.length > 0) verdict.expected++
    else if (known) verdict.unexpected.push(`${name}: passes, so take it off the list of expected failures`)
    else verdict.passed++
  }
  return verdict
}

const server = await startServer()
const lines: string[] = []
let isFine = true
try {
  for (const { version, revisions } of runs) {
    const suite = await install(version)
    if (suite === undefined) {
      lines.push(`skipped: version ${version} of the official suite cannot be had here`)
      continue
    }
    for (const revision of revisions) {
      const verdict = judge(revision, await runSuite(suite, server.url, revision))
      for (const line of verdict.unexpected) console.log(`${revision} (${version}) ${line}`)
      isFine &&= verdict.unexpected.length === 0
      lines.push(
        `${revision} (suite ${version}): ${verdict.passed} passed, ${verdict.expected} expected to fail, ${verdict.unexpected.length} unexpected`
      )
    }
  }
} finally {
  await server.close()
}
console.log(lines.join('\n'))
process.exitCode = isFine ? 0 : 1
