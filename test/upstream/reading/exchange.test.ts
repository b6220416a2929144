import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { MAX_ERROR_BYTES } from '../../../src/upstream/answers/said.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { until } from '../../support/until.ts'

async function listen(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A deadline that only what never ends meets. */
const limits = { maxBytes: 10_000, deadlineMs: 60_000 }

t.test('over real connections', async t => {
  const dispatcher = createDispatcher()
  t.teardown(() => dispatcher.destroy())
  const get = (origin: string, signal?: AbortSignal, deadlineMs = limits.deadlineMs) =>
    exchange(dispatcher, { origin, path: '/', method: 'GET' }, { ...limits, deadlineMs }, signal)

  t.test('connections are kept and used again', async t => {
    const sockets = new Set<unknown>()
    const origin = await listen(t, (request, response) => {
      sockets.add(request.socket)
      response.end('ok')
    })
    for (let calls = 0; calls < 20; calls++) t.equal((await get(origin)).body, 'ok')
    // A call that follows at once may find the first connection not yet handed back.
    t.ok(sockets.size <= 2, `${sockets.size} connections for 20 calls`)
  })

  t.test('a forge that drips or stalls is cut off at the deadline', async t => {
    const drip = await listen(t, (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const stall = await listen(t, () => undefined)
    for (const origin of [drip, stall]) {
      // Neither would ever end.
      await t.rejects(get(origin, undefined, 300), { name: 'ForgeError', fault: 'timeout' })
    }
  })

  t.test('an answer that announces more than the cap is not waited for', async t => {
    const origin = await listen(t, (_request, response) =>
      response.writeHead(200, { 'content-length': '10001' }).flushHeaders()
    )
    await t.rejects(get(origin), { name: 'ForgeError', fault: 'too-large' })
  })

  t.test(
    'an answer whose body is not wanted is complete with its head, and its connection closed',
    async t => {
      let isClosed = false
      const origin = await listen(t, (request, response) => {
        request.socket.once('close', () => {
          isClosed = true
        })
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      })
      const reply = await exchange(
        dispatcher,
        { origin, path: '/', method: 'GET' },
        {
          ...limits,
          wants: (status, { 'content-type': type }) => status === 200 && type !== 'text/event-stream'
        }
      )
      t.match(reply, { status: 200, body: '' })
      await until(() => isClosed)
    }
  )

  t.test('an endless answer is cut off at the cap', async t => {
    const origin = await listen(t, (_request, response) => {
      const more = () => {
        while (response.write('x'.repeat(5000)));
      }
      response.on('drain', more)
      more()
    })
    await t.rejects(get(origin), { name: 'ForgeError', fault: 'too-large' })
  })

  t.test('of a refusal no more is read than what can be told of it, however it is made', async t => {
    const megabyte = Buffer.alloc(1024 * 1024, 'é')
    for (const status of [302, 404, 500])
      for (const [encoding, body] of [
        ['identity', megabyte],
        ['gzip', gzipSync(megabyte)]
      ] as const) {
        const origin = await listen(t, (_request, response) => {
          response.writeHead(status, { 'content-encoding': encoding }).end(body)
        })
        const bounds = { ...limits, maxBytes: megabyte.length }
        const reply = await exchange(dispatcher, { origin, path: '/', method: 'GET' }, bounds)
        t.equal(Buffer.byteLength(reply.body), MAX_ERROR_BYTES, `${status} ${encoding}`)
      }
  })

  t.test('gzip is known by its old name and in any case', async t => {
    for (const encoding of ['gzip', 'GZIP', 'x-gzip']) {
      const origin = await listen(t, (_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync('plain'))
      })
      t.equal((await get(origin)).body, 'plain', encoding)
    }
  })

  t.test('a truncated answer and a reset are failures', async t => {
    const short = await listen(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('x')
      setTimeout(() => response.destroy(), 10)
    })
    await t.rejects(get(short), { name: 'ForgeError', fault: 'unreachable' })
    const reset = await listen(t, request => request.socket.destroy())
    await t.rejects(get(reset), { name: 'ForgeError', fault: 'unreachable' })
  })

  t.test('cancelling closes the connection to the forge', async t => {
    const controller = new AbortController()
    let closed: () => void
    const gone = new Promise<void>(resolve => {
      closed = resolve
    })
    const origin = await listen(t, request => {
      request.socket.on('close', () => closed())
      controller.abort()
    })
    await t.rejects(get(origin, controller.signal), { name: 'ForgeError', fault: 'cancelled' })
    await gone
  })

  t.test('a call that is cancelled while its answer comes leaves the connection to others', async t => {
    const sockets = new Set<unknown>()
    const controllers: AbortController[] = []
    const origin = await listen(t, (request, response) => {
      sockets.add(request.socket)
      controllers.pop()?.abort()
      setTimeout(() => response.end('ok'), 20)
    })
    for (let calls = 0; calls < 10; calls++) {
      const controller = new AbortController()
      controllers.push(controller)
      await get(origin, controller.signal)
    }
    t.ok(sockets.size <= 2, `${sockets.size} connections for 10 calls`)
  })

  t.test('the end of the service is told as that, and not as a forge that is not there', async t => {
    const ending = createDispatcher()
    let isAsked = false
    const origin = await listen(t, () => {
      isAsked = true
    })
    const request = { origin, path: '/', method: 'GET' } as const
    const call = t.rejects(exchange(ending, request, limits), { fault: 'cancelled', message: /server ended/ })
    await until(() => isAsked)
    await ending.destroy()
    await call
  })

  t.test('headers that never end are refused', async t => {
    const origin = await listen(t, (_request, response) => {
      response.setHeader('x-huge', 'x'.repeat(100_000))
      response.end('ok')
    })
    await t.rejects(get(origin), { name: 'ForgeError', fault: 'bad-answer' })
  })

  t.test('nobody listening is unreachable', async t => {
    await t.rejects(get('http://127.0.0.1:9'), { fault: 'unreachable', message: /ECONNREFUSED/ })
  })
})
