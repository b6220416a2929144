import t from 'tap'
import { toolsetIds } from '../../src/engine/rows/toolset-id.ts'
import { madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { initialize, request } from '../support/server.ts'
import { branch, caller, inParallel } from '../support/tenants.ts'

/* Each set of toolsets that a request keeps to is a listing of its own, and there are 130,000 of them. */

const LISTINGS = 1_500

t.test('listings of as many kinds as there are headers end nothing', async t => {
  const home = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  // What it held before this was bounded: 40 MB for each thousand.
  const server = await startServer(t, {
    NODE_OPTIONS: '--max-old-space-size=64',
    FORGE_API_URL: home,
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  const list = request('tools/list')
  const asks = caller(t, server, madeUp('lists'))
  const statuses = new Set<number>()
  await inParallel(LISTINGS, 8, async at => {
    // The first of them has half of the tools that are listed.
    const names = toolsetIds.filter((_, place) => ((2 * at + 1) >> place) & 1)
    statuses.add((await asks(list, { 'x-forge-toolsets': names.join() })).status)
  })
  t.same([...statuses], [200])
  const tenant = caller(t, server, madeUp('tenant'))
  t.equal((await tenant(initialize())).status, 200)
  t.equal((await tenant(branch())).status, 200)
})
