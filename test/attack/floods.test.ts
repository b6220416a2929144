import t from 'tap'
import { holdsNobody } from '../support/callers-forge.ts'
import { flooding } from '../support/flooding.ts'

/* Forges of callers that never come to an answer: what they send without end is dear to read. */

const status = 'HTTP/1.1 200 OK\r\n'
const chunked = `${status}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
const floods: [title: string, head: string, block: string][] = [
  ['informational answers', '', 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(500)],
  ['headers', status, 'X-A: bbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(1_000)],
  ['trailers', `${chunked}2\r\n{}\r\n0\r\n`, 'X-A: bbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(1_000)],
  ['chunks of a byte', chunked, '1\r\na\r\n'.repeat(5_000)]
]

for (const [title, head, block] of floods)
  t.test(`a forge that sends ${title} without end holds nobody for longer than two yardsticks`, async t => {
    await holdsNobody(t, await flooding(t, head, block), 20)
  })
