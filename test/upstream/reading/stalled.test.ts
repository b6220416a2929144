import t from 'tap'
import { FairTurns } from '../../../src/fairness/fair-turns.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { CallerForgeClient } from '../../../src/upstream/forge.ts'
import { CallerGates } from '../../../src/upstream/guard/caller-gates.ts'
import { busy } from '../../../src/upstream/guard/gate.ts'
import { Guard } from '../../../src/upstream/guard/guard.ts'
import { apiBase } from '../../../src/upstream/hosts/url.ts'
import { keepsNothing } from '../../support/keeps-nothing.ts'
import { listen } from '../../support/listen.ts'
import { until } from '../../support/until.ts'
import { upstreamOf } from '../../support/upstream.ts'

/* Where large packets are lost on the way from a forge, its answers begin, and nothing more comes of them. */

const MANY = 100

t.test('an answer that stops in its middle is told of when its caller gives up', async t => {
  let begun = 0
  const origin = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[', () => begun++)
  })
  const dispatcher = createDispatcher()
  t.teardown(() => dispatcher.destroy())
  const limits = { limit: MANY, queue: 0, waitMs: 1 }
  const told: string[] = []
  const guard = new Guard({
    limits,
    callers: new CallerGates(limits, busy('here')),
    resumed: new FairTurns({ each: MANY }),
    onExchange: outcome => told.push(`exchange ${outcome}`),
    onTrouble: trouble => told.push(typeof trouble === 'number' ? `${trouble}` : trouble.message)
  })
  const bounds = { maxBytes: 1000, deadlineMs: 60_000 }
  const upstream = upstreamOf({
    base: apiBase(`${origin}/api/v4`),
    dispatcher,
    limits: bounds,
    userAgent: 'test',
    guard
  })
  let later = 0
  const { now } = performance
  t.intercept(performance, 'now', { value: () => now.call(performance) + later })
  const ask = async (caller: string, asked: (forge: CallerForgeClient) => Promise<unknown>) => {
    const gone = new AbortController()
    const token = `glpat-${caller}`
    const client = new CallerForgeClient(upstream, { kind: 'private-token', token }, { signal: gone.signal })
    const before = begun
    const answer = asked(client)
    await until(() => begun > before && client.status === 200)
    later += 10_000
    gone.abort()
    await t.rejects(answer, {
      name: 'ForgeError',
      fault: 'unanswered',
      message: /^The forge’s answer had stopped for 1\d s/
    })
  }
  const stream = { path: '/trace', template: '/trace', accept: '*/*', maxBytes: 1000 }
  await ask('ada', forge => forge.send({ method: 'GET', path: '/issues', template: '/issues' }))
  await ask('bob', forge =>
    forge.stream(stream, async ({ body }) => {
      for await (const _ of body(keepsNothing));
    })
  )
  const said = /^The forge’s answer had stopped for 1\d s when its caller gave up\.$/
  t.match(told, ['exchange unanswered', said, 'exchange 200', said])
  t.ok(guard.silentMs >= 20_000)
  const cleo = new CallerForgeClient(upstream, { kind: 'private-token', token: 'glpat-cleo' })
  const refuse = async () => {
    throw new CallProblem('There is no such file.')
  }
  await t.rejects(cleo.stream(stream, refuse), { name: 'CallProblem' })
  t.equal(guard.silentMs, 0, 'whose reader refuses it, that was an answer')
})
