import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { QueueError } from '../../src/fairness/fair-queue.ts'
import { type LineOptions, WorkerLine } from '../../src/workers/line.ts'
import { JobError } from '../../src/workers/thread.ts'

const line = (options: Partial<LineOptions> = {}) => {
  const made = new WorkerLine({ budgetMs: 5_000, all: 10, caller: 5, ...options })
  t.teardown(() => made.close())
  return made
}
const of = (caller: string, signal?: AbortSignal) => ({ caller, signal })
const read = (text: string) => Buffer.from(text)
/** It never ends. */
const endless = { patterns: ['^(a+)+$'], entries: [[`${'a'.repeat(60)}!`]] }
const soon = { patterns: ['b'], entries: [['b']] }

t.test('a job’s result is whole, however large, and the event loop turns while it comes', async t => {
  const value = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `record ${id}` }))
  const text = JSON.stringify(value)
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  const reply = await line().run('readAnswerText', read(text), of('ada'))
  clearInterval(turning)
  t.equal((reply as { size: number }).size, text.length)
  t.ok(isDeepStrictEqual((reply as { value: unknown }).value, value))
  t.ok(turns > 10, `${turns} turns`)
})

/** Niceness of each thread of this process (proc(5)). */
const niceness = () =>
  readdirSync('/proc/self/task').map(id =>
    Number(readFileSync(`/proc/self/task/${id}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[16])
  )

t.test(
  'where a core is shared, workers leave most of it to the event loop',
  { skip: process.platform !== 'linux' && 'elsewhere priority is of a process' },
  async t => {
    const own = getPriority()
    const lower = () => niceness().filter(nice => nice === Math.max(10, own)).length
    const before = lower()
    await line().run('readAnswerText', read('[1]'), of('ada'))
    t.equal(lower(), before + 1)
    t.equal(getPriority(), own, 'the event loop keeps its own')
  }
)

t.test('bytes that are transferred are not copied', async t => {
  const bytes = Buffer.alloc(100_000, ' ')
  bytes.write('[1]')
  const reply = await line().run('readAnswerText', bytes, of('ada'), [bytes.buffer])
  t.match(reply, { value: [1] })
  t.equal(bytes.length, 0)
})

t.test('a job that does not end is ended, and the next one is done by another worker', async t => {
  const one = line({ budgetMs: 300 })
  const late = one.run('matchPatterns', endless, of('ada'))
  const next = one.run('matchPatterns', soon, of('ben'))
  await t.rejects(late, { name: 'JobError', why: 'late' })
  t.match(await next, { matches: [true] })
})

t.test('a job that takes all of the memory fails, and neither the process nor the next job does', async t => {
  const one = line({ budgetMs: 60_000 })
  // Each pattern matches nothing after it has kept each place of the text for itself.
  const greedy = { patterns: Array(400_000).fill('(?:)'), entries: Array(4_000_000).fill(['']) }
  await t.rejects(one.run('matchPatterns', greedy, of('ada')), new JobError('broken'))
  t.match(await one.run('matchPatterns', soon, of('ada')), { matches: [true] })
})

t.test('a job whose caller goes while it waits is not done', async t => {
  const one = line({ budgetMs: 500 })
  const gone = new AbortController()
  const slow = one.run('matchPatterns', endless, of('ada'))
  slow.catch(() => {})
  const waiting = one.run('matchPatterns', endless, of('ben', gone.signal))
  gone.abort()
  await t.rejects(waiting, { name: 'QueueError', why: 'cancelled' })
  await t.rejects(slow, new JobError('late'))
})

t.test('one caller’s jobs do not fill the line', async t => {
  const one = line({ caller: 2 })
  const jobs = Array.from({ length: 5 }, () => one.run('matchPatterns', soon, of('ada')))
  const settled = Promise.allSettled(jobs)
  t.match(await one.run('matchPatterns', soon, of('ben')), { matches: [true] })
  const why = (await settled).map(job => (job.status === 'rejected' ? job.reason.why : 'done'))
  t.same(why, ['done', 'done', 'done', 'full', 'full'])
})

t.test('a line that is closed begins no thread, whatever waits in it or comes later', async t => {
  const one = line()
  t.match(await one.run('matchPatterns', soon, of('ada')), { matches: [true] })
  const jobs = [endless, soon, soon].map(job => one.run('matchPatterns', job, of('ada')))
  const settled = Promise.allSettled(jobs)
  await one.close()
  const why = (await settled).map(job => (job.status === 'rejected' ? job.reason.why : 'done'))
  t.same(why, ['broken', 'cancelled', 'cancelled'])
  await t.rejects(one.run('matchPatterns', soon, of('ada')), new QueueError('cancelled'))
})

t.test('one that is closed while its thread begins ends that', async t => {
  const one = line()
  const job = one.run('matchPatterns', soon, of('ada'))
  await one.close()
  await t.rejects(job, new QueueError('cancelled'))
})
