import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Counts } from '../../support/counted-server.ts'
import { listen } from '../../support/listen.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, TOKEN } from '../../support/server.ts'

/*
 * What one call costs, by counting: time would tell of the machine. The bands are a little above what was counted; who
 * leaves one has put something into the path of every call, and says why by moving it.
 */

const program = fileURLToPath(new URL('../../support/counted-server.ts', import.meta.url))
const body = JSON.stringify(call('get_merge_request', { project_id: 'acme/rocket', merge_request_iid: '7' }))
const record = JSON.stringify({
  id: 907,
  iid: 7,
  title: 'Stop uploads after the timeout',
  description: 'The upload stops after *30 s* when the mirror is far away.\n'.repeat(20),
  state: 'opened',
  author: { id: 18, username: 'ada', name: 'Ada', state: 'active', avatar_url: null, web_url: '' }
})

/**
 * Code takes more memory until it is compiled well, so the first calls do not count. How soon it is depends on what else
 * the machine does: so the least of a few rounds counts, and what a call really takes it takes in each.
 */
const WARM_UP = 1_500
const CALLS = 100
const MOST_ROUNDS = 20

/** Counted: 86,000 to 90,000 bytes, 34 promises, and 16 hooks, of which stateless mode lacks the two that count requests. */
const most = { bytes: 94_000, promises: 34, hooks: 16 }

/**
 * Bytes of a call that outlive a collection of young objects, whose time grows with what survives. Counted: 3,000 to 4,200. An
 * object with an accessor, made for each call, left 10,000.
 */
const MOST_LEFT = 6_000

const modes = {
  'in session mode': {},
  'in stateless mode': { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }
}

for (const [mode, settings] of Object.entries(modes))
  t.test(mode, async t => {
    const forge = await listen(t, (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(record)
    })
    const child = fork(program, {
      // Room for all of the calls, so that nothing is collected while they are counted.
      execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64', '--expose-gc'],
      env: {
        PATH: process.env.PATH,
        // To compile the source takes longer than all of the calls.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        FORGE_API_URL: forge,
        PORT: '0',
        LOG_LEVEL: 'info',
        MAX_EVENT_LOOP_DELAY_MS: '0',
        MAX_REQUESTS_PER_MINUTE: '1000000',
        ...settings
      },
      silent: true
    })
    t.teardown(() => child.kill('SIGKILL'))
    // Its log is read, or it would wait.
    child.stdout?.resume()
    child.stderr?.resume()
    const ask = async (what: 'counts' | 'left' | 'promises'): Promise<Counts> => {
      child.send(what)
      return (await once(child, 'message'))[0] as Counts
    }
    const { url } = await ask('counts')
    const post = async (text: string, sid?: string) => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'private-token': TOKEN,
          ...(sid !== undefined && { 'mcp-session-id': sid })
        },
        body: text
      })
      return { sid: response.headers.get('mcp-session-id')!, text: await response.text() }
    }
    const { sid } = await post(JSON.stringify(initialize()))
    const make = async (calls: number) => {
      for (let made = 0; made < calls; made++) await post(body, sid)
    }
    t.match((await post(body, sid)).text, 'Stop uploads')
    await make(WARM_UP)

    /** A collection in between would hide what was taken: then the calls are made again. */
    const taken = async (): Promise<number> => {
      await ask('counts')
      await make(CALLS)
      const { collections, heap } = await ask('counts')
      // One that has only just been made is told of a turn later.
      const late = (await ask('counts')).collections
      return collections + late === 0 ? heap / CALLS : taken()
    }
    let bytes = await taken()
    for (let rounds = 1; bytes > most.bytes && rounds < MOST_ROUNDS; rounds++) bytes = await taken()
    // Less than what it reads and writes is no call.
    t.ok(bytes > record.length && bytes <= most.bytes, `${Math.round(bytes)} bytes a call`)

    const leftBehind = async (): Promise<number> => {
      await ask('left')
      await make(CALLS)
      return (await ask('left')).heap / CALLS
    }
    let left = await leftBehind()
    for (let rounds = 1; left > MOST_LEFT && rounds < MOST_ROUNDS; rounds++) left = await leftBehind()
    t.ok(left <= MOST_LEFT, `${Math.round(left)} bytes left of a call`)

    await ask('promises')
    await make(CALLS)
    const counted = await ask('counts')
    const promises = counted.promises / CALLS
    t.ok(promises >= 1 && promises <= most.promises, `${promises} promises a call`)
    const hooks = Object.values(counted.hooks).reduce((sum, count) => sum + count, 0)
    t.ok(hooks >= 1 && hooks <= most.hooks, JSON.stringify(counted.hooks))
  })
