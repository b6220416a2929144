import t from 'tap'
import { jobs } from './jobs/index.ts'
import { missed, page } from './page.ts'
import { grown, type OursRecord, readOurs, readPeer } from './record.ts'
import { play } from './run.ts'

const figures = { calls: 10, bytesIn: 100, bytesOut: 1000, listingBytes: 4000, tokens: 1275 }
const recorded: OursRecord = { defaultListingBytes: 1, jobs: { review: { full: figures, search: figures } } }
const withFull = (changes: Partial<typeof figures>): OursRecord => ({
  ...recorded,
  jobs: { review: { full: { ...figures, ...changes }, search: figures } }
})

t.test('a job that costs a tenth more than recorded has grown, in calls, bytes out or tokens', async t => {
  t.same(grown(recorded, recorded), [])
  t.same(grown(withFull({ calls: 11, bytesOut: 1100 }), recorded), [])
  t.same(grown(withFull({ calls: 12 }), recorded), ['review (full): calls was 10 and is 12'])
  t.match(grown(withFull({ bytesOut: 1101, tokens: 2000 }), recorded), [/bytesOut/, /tokens/])
  t.same(grown(withFull({ calls: 5, bytesOut: 10 }), recorded), [])
})

t.test('nothing is recorded anew as long as any job has grown at all', async t => {
  t.match(grown(withFull({ bytesOut: 1001 }), recorded, 1), [/bytesOut/])
})

t.test('a job that nobody recorded fails the run, and can be recorded', async t => {
  const without = { ...recorded, jobs: {} }
  t.match(grown(recorded, without), [/review \(full\) is not recorded/, /search/])
  t.same(grown(recorded, without, 1), [])
})

t.test('the page has a row of each job in both tables, from what is recorded', async t => {
  const text = page(readOurs(), readPeer())
  for (const { title } of jobs) t.equal(text.split(`\n| ${title}`).length, 3, title)
})

t.test('a job that costs more than is aimed at says what it cannot do without', async t => {
  for (const { id, why } of missed(readOurs(), readPeer())) t.type(why, 'string', id)
})

t.test('a job that is not done at its end fails, whatever was called', async t => {
  const spent = { calls: 0, bytesIn: 0, bytesOut: 0, steps: [] }
  const agent = { call: async () => undefined, spent, listingBytes: 0, close: async () => undefined }
  for (const job of jobs)
    await t.rejects(
      play(
        job,
        async () => agent,
        async () => undefined
      ),
      new RegExp(`${job.id}: it is not done`)
    )
})
