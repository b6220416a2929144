import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { completions } from '../../completions/index.ts'
import { ownText } from '../../src/collections/own-text.ts'
import { candidatesIn } from '../../src/completions/source.ts'
import { callerAddress } from '../../src/edge/callers/forwarded.ts'
import { KnownFacts } from '../../src/engine/facts/known.ts'
import { readParameters } from '../../src/oauth/rules/parameters.ts'
import { cleanText } from '../../src/results/clean.ts'
import { readCredential } from '../../src/session/credential.ts'
import { collect } from '../support/collect.ts'

/* What is kept for each of thousands of requests is as large as it looks, however long what it came in was. */

const REQUESTS = 500
const padding = (at: number): string => Buffer.alloc(15_000, `${at}-`).toString('latin1')

const known = new KnownFacts().of('caller')
const nameIn = (at: number): string => `label number ${at},${padding(at)}`.split(',', 1)[0]!

const kept: Record<string, (at: number) => unknown> = {
  'an address behind a list of others': at =>
    callerAddress(
      {
        headers: { 'x-forwarded-for': `${padding(at)},203.100.100.${at % 256}` },
        socket: {}
      } as unknown as IncomingMessage,
      ({ headers }) => String(headers['x-forwarded-for']).split(',').at(-1)!
    ),
  'a parameter of a long query': at =>
    readParameters(`pad=${padding(at)}&state=${'s'.repeat(40)}`).get('state'),
  'a title to choose by': at =>
    candidatesIn(
      [{ iid: at, title: padding(at) }],
      completions.find(({ name }) => name === 'issue_iid')!,
      cleanText
    ),
  'a name out of a list that is known to be there': at =>
    known.remember(`label ${at}`, async () => nameIn(at)).then(() => undefined),
  'a name out of a list by which something is known': at =>
    known.remember(`label ${nameIn(at)}`, async () => at),
  'a token after many blanks': at =>
    readCredential(['authorization', `Bearer ${padding(at).replaceAll(/./g, ' ')}${'t'.repeat(40)}`])
}

for (const [what, make] of Object.entries(kept))
  t.test(`${what} keeps nothing of the rest`, async t => {
    collect()
    const before = process.memoryUsage().heapUsed
    const all = await Promise.all(Array.from({ length: REQUESTS }, (_, at) => make(at)))
    collect()
    const each = (process.memoryUsage().heapUsed - before) / all.length
    t.ok(each < 2000, `${Math.round(each)} bytes each`)
  })

t.test('a text of its own is the same text', async t => {
  for (const text of ['', 'a', 'état', '日本', '😀']) t.equal(ownText(text), text)
})
