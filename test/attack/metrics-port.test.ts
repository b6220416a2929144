import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t from 'tap'
import { freePort } from '../support/listen.ts'
import { runCli, startServer } from '../support/process.ts'

/* METRICS_PORT is a listener of its own, beside the framework. */

/** What a server says to a text, until it closes the connection or is silent for so many milliseconds. */
const say = (port: number, text: string, silent = 1000): Promise<string> =>
  new Promise(resolve => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setTimeout(silent, () => socket.destroy())
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })

/** Request targets that are no path, or none that a URL is made of. */
const targets = [
  '//',
  '///',
  '//?',
  '//:0/metrics',
  '/\\',
  '/%',
  '*',
  'http://',
  'http://[',
  'https://:99999/',
  '?',
  `/${'/'.repeat(8000)}`
]

t.test('no request target ends the process, on METRICS_PORT or on PORT', async t => {
  const port = await freePort()
  const server = await startServer(t, { METRICS_PORT: String(port) })
  for (const at of [port, Number(new URL(server.url).port)])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'])
      for (const target of targets) {
        await say(at, `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
        if (server.child.exitCode !== null) return t.fail(`${method} ${target} ended the process`)
      }
  t.match(
    await say(port, 'GET // HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 60_000),
    /^HTTP\/1\.1 404 /
  )
  for (const url of [`http://127.0.0.1:${port}/metrics`, `${server.url}/livez`])
    t.equal((await fetch(url)).status, 200, url)
  t.notMatch(await server.output(), /unexpected failure|metrics failed/)
  t.equal(await server.stop(), 0)
})

t.test('an address that scrapes without end is answered without a text, and others as before', async t => {
  const port = await freePort()
  await startServer(t, { METRICS_PORT: String(port) })
  const url = `http://127.0.0.1:${port}/metrics`
  const statuses: number[] = []
  for (let scrapes = 0; scrapes < 130; scrapes++) {
    const response = await fetch(url)
    statuses.push(response.status)
    await response.text()
  }
  t.same(new Set(statuses.slice(0, 120)), new Set([200]))
  t.same(new Set(statuses.slice(120)), new Set([429]))
  const other = await new Promise<string>(resolve => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () =>
      socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')
    )
    socket.once('data', chunk => {
      resolve(String(chunk))
      socket.destroy()
    })
  })
  t.match(other, /^HTTP\/1\.1 200 /)
})

t.test('a PORT that is taken ends the process, with METRICS_PORT open already', async t => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  const { code, err } = await runCli([], { PORT: String(port), METRICS_PORT: String(await freePort()) })
  t.equal(code, 1)
  t.match(err, /cannot start: port \d+ .* is taken/)
})
