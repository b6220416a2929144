import t from 'tap'
import { chartHeap, madeUp } from '../support/attack.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { call, TOKEN } from '../support/server.ts'
import { branch, caller, residentMb } from '../support/tenants.ts'

/* What is held of messages while their calls last: small values, each of which takes twenty times its characters. */

/** As many as a message may have, of 30 KB; twenty times that once it is read. */
const message = { ...call('get_branch', { project_id: '1' }), pad: Array(9_900).fill({}) }
/** What the container has is 512. */
const MOST_MB = 440

t.test('calls of many small values that last leave the process its memory', async t => {
  const forge = await listen(t, (request, response) => {
    request.resume()
    if (request.url?.endsWith('/main'))
      response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const server = await startServer(t, {
    ...chartHeap,
    FORGE_API_URL: forge,
    MAX_REQUESTS_PER_MINUTE: '0',
    FORGE_MAX_CONCURRENCY: '64'
  })
  const statuses = new Map<number, number>()
  const lasting = {
    ...message,
    params: { name: 'get_branch', arguments: { project_id: '1', branch_name: 'slow' } }
  }
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    const attacker = caller(t, server, 'unused', address)
    for (let at = 0; at < 240; at++)
      attacker(lasting, {}, madeUp(`${address.at(-1)}-${at}`)).then(
        ({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1),
        () => {}
      )
  }
  const tenant = caller(t, server, TOKEN)
  const answers: number[] = []
  // However busy the machine is: until there is no room for the rest, and the others have long been held.
  while (answers.length < 200 || ((statuses.get(503) ?? 0) <= 500 && answers.length < 2_000)) {
    answers.push((await tenant(branch())).status)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  t.comment(`${residentMb(server)} MB, ${JSON.stringify([...statuses])}`)
  t.equal(server.child.exitCode, null)
  t.same([...new Set(answers)], [200])
  t.ok((statuses.get(503) ?? 0) > 500, 'what there is no room for is refused')
  t.ok(residentMb(server) < MOST_MB, `${residentMb(server)} MB`)
  await server.stop('SIGKILL')
})

t.test('names that are numbers take no memory: neither of a message nor of an answer', async t => {
  const gaps = (levels: number): string => '{"1000":0,"2500":'.repeat(levels) + 0 + '}'.repeat(levels)
  const forge = await listen(t, (request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(request.url?.endsWith('/main') ? '{"name":"main"}' : `[${Array(66_000).fill(gaps(1))}]`)
  })
  const server = await startServer(t, { ...chartHeap, FORGE_API_URL: forge })
  const tenant = caller(t, server, TOKEN)
  const stranger = caller(t, server, 'unused', '127.0.0.2')
  const message = { ...call('get_branch'), pad: Array(196).fill(JSON.parse(gaps(50))) }
  t.equal((await stranger(message, {}, madeUp('1'))).status, 413)
  t.match((await stranger(call('list_issues', { scope: 'all' }), {}, madeUp('2'))).text, /isError/)
  t.equal((await tenant(branch())).status, 200)
  t.ok(residentMb(server) < 300, `${residentMb(server)} MB`)
  await server.stop('SIGKILL')
})
