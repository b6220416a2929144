import { type AddressInfo, createServer, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Dispatcher } from 'undici'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { countedHeads } from '../../../src/upstream/connections/heads.ts'

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n'
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'

/** A forge that answers each request with a text, or with parts of one. */
async function forgeOf(t: Test, answer: string | string[]) {
  const sockets = new Set<Socket>()
  const forge = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', async () => {
      for (const part of [answer].flat()) {
        socket.write(part)
        await sleep(50)
      }
    })
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  const dispatcher = createDispatcher()
  t.teardown(async () => {
    await dispatcher.destroy()
    for (const socket of sockets) socket.destroy()
    forge.close()
  })
  return { dispatcher, origin: `http://127.0.0.1:${(forge.address() as AddressInfo).port}` }
}

/** Asks a forge that answers so. @param onHead told of names and values as undici keeps them */
async function ask(t: Test, answer: string | string[], onHead?: (head: readonly Buffer[]) => void) {
  const { dispatcher, origin } = await forgeOf(t, answer)
  return get(dispatcher, origin, onHead)
}

function get(dispatcher: Dispatcher, origin: string, onHead: (head: readonly Buffer[]) => void = () => {}) {
  return new Promise<string>((resolve, reject) => {
    let text = ''
    dispatcher.dispatch(
      { origin, path: '/', method: 'GET' },
      {
        onRequestStart() {},
        onResponseStart: ({ rawHeaders }) => onHead(rawHeaders as Buffer[]),
        onResponseData: (_controller, piece) => {
          text += piece
        },
        onResponseEnd: () => resolve(text),
        onResponseError: (_controller, error) => reject(error)
      }
    )
  })
}

/** Of two bytes each, as undici counts them. */
const lines = (count: number) => 'a:\r\n'.repeat(count)
const overflow = { code: 'UND_ERR_HEADERS_OVERFLOW' }

t.test('a head of more than 256 short lines is refused', async t => {
  await t.rejects(ask(t, `${HEAD}${lines(256)}\r\n{}`), overflow)
})

t.test('a head of 200 lines, which no forge sends, is read', async t => {
  t.equal(await ask(t, `${HEAD}${lines(200)}\r\n{}`), '{}')
})

t.test('names that are numbers count by the array that they make', async t => {
  await t.rejects(ask(t, `${HEAD}700:\r\n2090:\r\n3320:\r\n\r\n{}`), overflow)
})

t.test('numbers that are values, or no index, make no array', async t => {
  t.equal(await ask(t, `${HEAD}a: 3320\r\nb: 3320\r\n03320: 1\r\n\r\n{}`), '{}')
})

t.test('trailers of more than 512 short lines end the answer', async t => {
  await t.rejects(ask(t, `${CHUNKED}\r\n2\r\n{}\r\n0\r\n${lines(513)}\r\n`), overflow)
})

const EARLY = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'

t.test('informational heads before an answer are read, up to sixteen of them', async t => {
  t.equal(await ask(t, `${EARLY.repeat(16)}${HEAD}\r\n{}`), '{}')
  await t.rejects(ask(t, `${EARLY.repeat(17)}${HEAD}\r\n{}`), { code: 'MANY_INFORMATIONAL_HEADS' })
})

t.test('informational heads count for each answer anew', async t => {
  const { dispatcher, origin } = await forgeOf(t, `${EARLY.repeat(16)}${HEAD}\r\n{}`)
  for (let at = 0; at < 3; at++) t.equal(await get(dispatcher, origin), '{}')
})

t.test('the line with which a head is too long is the last that is parsed', t => {
  const socket = new Socket()
  const methods = {
    headers: [] as Buffer[],
    onHeaderField(bytes: Buffer) {
      this.headers.push(bytes)
      return 0
    },
    onHeaderValue(bytes: Buffer) {
      this.headers.push(bytes)
      socket.destroy()
      return 0
    }
  }
  const parser: typeof methods = Object.assign(Object.create(methods), {
    socket,
    headers: [],
    headersSize: 0
  })
  countedHeads((_target, callback) => callback(null, socket))({} as never, () => {
    Object.assign(socket, { [Symbol('parser')]: parser })
  })
  t.equal(parser.onHeaderField(Buffer.from('a')), 0)
  t.equal(parser.onHeaderValue(Buffer.from('b')), -1)
  t.end()
})

/** Bytes of all memory that what is kept of a head holds. */
async function heldBytes(t: Test, answer: string | string[]): Promise<number> {
  const memory = new Set<ArrayBufferLike>()
  await ask(t, answer, head => {
    for (const { buffer } of head) memory.add(buffer)
  })
  return [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

t.test('of a head that is padded with blanks only the words are kept', async t => {
  const padded = `a:${' '.repeat(8_000)}b\r\n`.repeat(100)
  t.equal(await heldBytes(t, `${HEAD}${padded}\r\n{}`), 4_096)
})

t.test('a head that comes in parts holds no memory that others are kept in', async t => {
  t.equal(await heldBytes(t, [`${HEAD}a: b`, 'c\r\n\r\n{}']), 4_096)
})

t.test('a header that takes more than a piece of the memory for them arrives whole', async t => {
  const [location, link] = [
    `/${'l'.repeat(6_000)}`,
    `<https://forge.example/${'k'.repeat(6_000)}>; rel="next"`
  ]
  const head: string[] = []
  const answer = `${HEAD}Location: ${location}\r\nX-Short: between\r\nLink: ${link}\r\n\r\n{}`
  const keep = (kept: readonly Buffer[]) => void head.push(...kept.map(String))
  t.equal(await ask(t, answer, keep), '{}')
  t.same(head.slice(2), ['Location', location, 'X-Short', 'between', 'Link', link])
})
