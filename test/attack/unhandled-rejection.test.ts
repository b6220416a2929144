import t from 'tap'
import { startServer } from '../support/process.ts'
import { until } from '../support/until.ts'

/** Stands for a mistake in the code of a call, which callers could repeat. */
const mistake =
  'let next = new Error("nobody waits for it"); process.on("SIGWINCH", () => { void Promise.reject(next); next = null })'

t.test('a rejection that nobody handles is on record, and ends nothing that others use', async t => {
  const server = await startServer(t, {
    FORGE_API_URL: 'http://127.0.0.1:9/api/v4',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(mistake)}`
  })
  for (const times of [1, 2]) {
    server.child.kill('SIGWINCH')
    await until(async () => (await server.output()).split('"msg":"unhandled rejection"').length === times + 1)
  }
  t.match(await server.output(), /"level":50,[^\n]*nobody waits for it/)
  t.equal((await fetch(`${server.url}/livez`)).status, 200)
  t.equal(await server.stop(), 0, 'and it ends as it is told to')
})
