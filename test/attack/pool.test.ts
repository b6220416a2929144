import t from 'tap'
import { hostileForge } from '../support/hostile-forge.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import { branch, caller, calmForge, inParallel, meanwhile } from '../support/tenants.ts'

/* Callers name their forges, and there is room for a hundred. */

const URL_HEADER = 'x-forge-api-url'

t.test(
  'slow calls with made-up tokens leave the pool to others, under whatever names of the forge',
  async t => {
    // One that is at work, one that is new, and one that never answers.
    const answer: Parameters<typeof listen>[1] = (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"name":"main"}')
    }
    const atWork = await listen(t, answer, { address: '127.0.0.2' })
    const another = await listen(t, answer, { address: '127.0.0.3' })
    const hostile = await hostileForge(t, () => undefined)
    const server = await startServer(t, {
      MAX_REQUESTS_PER_MINUTE: '1000000',
      ENABLE_DYNAMIC_API_URL: 'true',
      FORGE_API_URL: await calmForge(t),
      MCP_TRUST_PROXY: '127.0.0.1'
    })
    const noisy = caller(t, server, 'unused')
    const tenant = caller(t, server, TOKEN)
    const work = () => tenant(branch(), { [URL_HEADER]: atWork, 'x-forwarded-for': '192.0.2.2' })
    for (let at = 0; at < 20; at++) await work()
    const calm = await meanwhile(work, new Promise(resolve => setTimeout(resolve, 1500)))
    const refused = { capacity: 0 }
    const attack = inParallel(200, 200, async at => {
      const host = at % 2 ? hostile.origin : hostile.origin.replace('127.0.0.1', 'localhost')
      const headers = { [URL_HEADER]: `${host}/f${at}`, 'x-forwarded-for': '192.0.2.1' }
      const answer = await noisy(branch(), headers, `glpat-made-up-made-up-${at}`).catch(() => undefined)
      if (answer?.status === 503) refused.capacity++
    })
    const { failures, calls, p99 } = await meanwhile(work, new Promise(resolve => setTimeout(resolve, 3000)))
    t.same(failures, [])
    t.comment(`p99 ${calm.p99} ms in calm, ${p99} ms of ${calls} calls in the attack`)
    while (refused.capacity + hostile.asked < 200) await new Promise(resolve => setTimeout(resolve, 50))
    t.equal(hostile.asked, 25, 'one address has a quarter of the pool')
    const newcomer = caller(t, server, 'glpat-newcomer-newcomer-1')
    const { status, text } = await newcomer(branch(), {
      [URL_HEADER]: another,
      'x-forwarded-for': '192.0.2.3'
    })
    t.equal(status, 200)
    t.match(text, /main/)
    t.equal(
      (await noisy(branch(), {}, 'glpat-made-up-made-up-home')).status,
      200,
      'the home forge has its own'
    )
    await server.stop('SIGKILL')
    await attack
  }
)
