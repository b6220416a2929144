import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { MAX_CALL_SECONDS } from '../../src/base/longest-call.ts'
import { serviceCommand } from '../support/built.ts'
import { runCli, startServer } from '../support/process.ts'
import { call, request, TOKEN } from '../support/server.ts'
import { until } from '../support/until.ts'

// They wait more than they work.
t.jobs = 3

const send = (url: string, body: unknown, init: RequestInit = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(body),
    ...init
  })

t.test('a wrong configuration ends with exit code 1, every problem on the standard error', async t => {
  const { code, out, err } = await runCli(['--port=abc', '--bogus'], { FORGE_TOOLSETS: 'wikis' })
  t.equal(code, 1)
  t.equal(out, '')
  t.match(
    err,
    /cannot start:\n {2}- Unknown flag --bogus.*\n {2}- PORT must be .*\n {2}- FORGE_TOOLSETS may list/
  )
})

t.test('a start that lacks what is there under a wrong name says both, without the value', async t => {
  const secret = 'glpat-secret-secret-secret'
  const { err } = await runCli(['--streamable-http=false'], { FORGE_PERSONAL_ACCES_TOKEN: secret })
  t.match(
    err,
    /needs FORGE_PERSONAL_ACCESS_TOKEN\.\n {2}- FORGE_PERSONAL_ACCES_TOKEN is no variable .* may be meant/
  )
  t.notMatch(err, secret)
})

t.test('--version, --help, config and tools print and end', async t => {
  for (const [args, says] of [
    [['--version'], /^\d+\.\d+\.\d+\n$/],
    [['--help'], /--forge-api-url=<string>/],
    [['config'], /\| `FORGE_API_URL` \|/],
    [['tools'], /### list_branches/],
    [['presets'], /\| `review` \|/]
  ] as const) {
    const { code, out, err } = await runCli([...args])
    t.equal(code, 0)
    t.match(out, says)
    t.equal(err, '')
  }
})

t.test(
  'a page of which the beginning is enough ends without a fault, and one that is asked wrongly says so',
  async t => {
    const { command, args } = await serviceCommand(['tools'])
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.once('data', () => child.stdout.destroy())
    const said = text(child.stderr)
    const [code] = await once(child, 'exit')
    t.equal(code, 0)
    t.equal(await said, '')
    t.match(await runCli(['tools', '--toolset=wiki']), { code: 1, err: /Unknown flag --toolset/ })
  }
)

t.test('what cannot be printed is told in a sentence', { skip: process.platform !== 'linux' }, async t => {
  const { command, args } = await serviceCommand(['--help'])
  const child = spawn('sh', ['-c', 'exec "$0" "$@" > /dev/full', command, ...args])
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  t.match(err, /^forge-tool-server cannot write to the standard output: ENOSPC.*\n$/)
  t.equal(code, 1)
})

t.test('a client that starts the program without the switch for stdio is told of it', async t => {
  const { command, args } = await serviceCommand(['--port=0'])
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  t.teardown(() => void child.kill())
  child.stdin.write(`${JSON.stringify(request('tools/list'))}\n`)
  const [said] = await once(child.stderr, 'data')
  t.match(String(said), /set STREAMABLE_HTTP=false/)
})

t.test('started so, it ends with its client, and holds no port', async t => {
  const { command, args } = await serviceCommand(['--port=0'])
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  t.teardown(() => void child.kill('SIGKILL'))
  child.stdin.end(`${JSON.stringify(request('tools/list'))}\n`)
  t.same(await once(child, 'exit'), [0, null])
})

t.test('a client of a program that cannot start reads the reason in its answer', async t => {
  const { command, args } = await serviceCommand(['--port=0', '--bogus'])
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  t.teardown(() => void child.kill('SIGKILL'))
  child.stdin.write(`${JSON.stringify(request('tools/list'))}\n`)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  t.match(JSON.parse(said), { error: { message: /cannot start:\n {2}- Unknown flag --bogus/ } })
  t.equal(code, 1)
})

t.test('a client of a program whose port is taken reads that, and the switch for stdio', async t => {
  const first = await startServer(t, {})
  const { command, args } = await serviceCommand([`--port=${new URL(first.url).port}`])
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  t.teardown(() => void child.kill('SIGKILL'))
  child.stdin.write(`${JSON.stringify(request('tools/list'))}\n`)
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const answers = said.split('\n').filter(line => line.includes('"jsonrpc"'))
  t.equal(answers.length, 1)
  t.match(JSON.parse(answers[0]!), {
    error: { message: /^port \d+ of .* is taken.* set STREAMABLE_HTTP=false/ }
  })
  t.equal(code, 1)
})

t.test('a taken port ends with exit code 1 and says so, and which other one nobody has read', async t => {
  const first = await startServer(t, {})
  const env = { LOG_LEVEL: 'warn', METRICS_PROT: '3001' }
  const { code, err, out } = await runCli([`--port=${new URL(first.url).port}`], env)
  t.equal(code, 1)
  t.match(err, /cannot start: port \d+ of 127\.0\.0\.1 is taken/)
  t.match(out, /METRICS_PROT is no variable of this service and is not read: METRICS_PORT may be meant/)
})

t.test(
  'where it serves, and warnings of its start, stand in its log at whatever level, and else only what has that level',
  async t => {
    const { command, args } = await serviceCommand(['--port=0', '--log-level=error', '--drain-seconds=0'])
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, FORGE_WEATHER: 'x' }
    })
    t.teardown(() => void child.kill('SIGKILL'))
    const said = text(child.stdout)
    let seen = ''
    child.stdout.on('data', piece => {
      seen += String(piece)
      if (/"serving/.test(seen)) child.kill('SIGTERM')
    })
    const lines = (await said).trimEnd().split('\n')
    t.match(
      lines.map(line => JSON.parse(line)),
      [
        { msg: /^LOG_LEVEL=error: calls are not on record/ },
        { msg: /^FORGE_WEATHER is no variable/ },
        { msg: /^serving \d+ tools .* at http:.*\/mcp$/, values: { LOG_LEVEL: 'error' } }
      ]
    )
    t.equal(lines.length, 3)
  }
)

t.test('what is asked as soon as it listens is answered', async t => {
  const server = await startServer(t, {})
  t.equal((await send(server.url, request('tools/list'))).status, 200)
})

t.test(
  'SIGTERM: readiness turns, calls in flight are finished, new ones served meanwhile, exit code 0',
  async t => {
    let release: () => void
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let asked = false
    const forge = createServer(async (request, response) => {
      if (request.url?.includes('slow')) {
        asked = true
        await held
      }
      response.setHeader('content-type', 'application/json')
      response.end('{"name":"main"}')
    })
    await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
    t.teardown(() => forge.close())
    const api = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
    const server = await startServer(t, { FORGE_API_URL: api, DRAIN_SECONDS: '4' })

    const inFlight = send(server.url, call('get_branch', { project_id: '1', branch_name: 'slow' }))
    await until(() => asked)
    const exit = server.stop('SIGTERM')

    await until(async () => (await fetch(`${server.url}/readyz`)).status === 503)
    t.equal((await fetch(`${server.url}/livez`)).status, 200)
    const late = await send(server.url, call('get_branch', { project_id: '1', branch_name: 'main' }))
    t.equal(late.status, 200)
    t.equal(late.headers.get('connection'), 'close')
    // Beyond the drain.
    setTimeout(() => release(), 4_300)
    t.match(await (await inFlight).json(), { result: { content: [{ text: '{"name":"main"}' }] } })
    t.equal(await exit, 0)
    t.match(await server.output(), /"seconds":\d+\.?\d*,"msg":"ended"/)
  }
)

t.test('connections that ask nothing, or stop within a question, do not hold the end up', async t => {
  const server = await startServer(t, {})
  const { hostname, port } = new URL(server.url)
  const silent = ['', 'POST /mcp HTTP/1.1\r\nHost: localh'].map(text => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    t.teardown(() => socket.destroy())
    return once(
      socket.on('error', () => {}),
      'close'
    )
  })
  await sleep(300)
  const started = performance.now()
  t.equal(await server.stop('SIGTERM'), 0)
  t.ok(performance.now() - started < MAX_CALL_SECONDS * 500, 'long before calls are given up')
  await Promise.all(silent)
})

t.test('a caller that goes away stops the read at the forge', async t => {
  let gone: () => void
  const aborted = new Promise<void>(resolve => {
    gone = resolve
  })
  const forge = createServer((request, response) => {
    response.on('close', () => gone())
    request.resume()
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const api = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
  const server = await startServer(t, { FORGE_API_URL: api })
  const controller = new AbortController()
  const pending = send(server.url, call('get_branch', { project_id: '1', branch_name: 'x' }), {
    signal: controller.signal
  })
  setTimeout(() => controller.abort(), 200)
  await t.rejects(pending)
  await aborted
  t.equal((await fetch(`${server.url}/livez`)).status, 200)
})

t.test('over stdio what was asked before the end of input is finished and answered', async t => {
  const forge = createServer((_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end('{"name":"main"}'), 300)
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const { command, args } = await serviceCommand(['--streamable-http=false'])
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      FORGE_PERSONAL_ACCESS_TOKEN: TOKEN,
      FORGE_API_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
    },
    stdio: ['pipe', 'pipe', 'ignore']
  })
  t.teardown(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stdin.end(`${JSON.stringify(call('get_branch', { project_id: '1', branch_name: 'main' }))}\n`)
  const [code] = await once(child, 'exit')
  t.equal(code, 0)
  t.match(JSON.parse(out), { result: { content: [{ text: '{"name":"main"}' }] } })
})

t.test('Ctrl-C ends it at once, whatever it is to drain; what it is stands in its first lines', async t => {
  const server = await startServer(t, {
    DRAIN_SECONDS: '60',
    LOG_LEVEL: 'info',
    FORGE_API_URL: 'http://127.0.0.1:9',
    FORGE_TOOLSETS: 'issues',
    FORGE_API_ULR: 'http://127.0.0.1:8'
  })
  const started = performance.now()
  t.equal(await server.stop('SIGINT'), 0)
  t.ok(performance.now() - started < 30_000, 'no drain; a busy machine gets some time')
  const lines = (await server.output()).split('\n').filter(line => line.startsWith('{'))
  t.match(
    lines.map(line => JSON.parse(line)).find(({ forge }) => forge !== undefined),
    {
      msg: `at ${server.url}/mcp`,
      version: /^\d/,
      forge: 'http://127.0.0.1:9',
      callers: 'bring a token',
      toolsets: ['issues'],
      tools: Number
    }
  )
  t.ok(lines.some(line => line.includes('FORGE_API_ULR is no variable of this service')))
})

t.test('a call that the end of the process cuts off leaves its line all the same', async t => {
  let asked = false
  const forge = createServer(() => {
    asked = true
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    forge.closeAllConnections()
    forge.close()
  })
  const server = await startServer(t, {
    DRAIN_SECONDS: '60',
    LOG_LEVEL: 'info',
    FORGE_TOOLSETS: 'repository',
    FORGE_API_URL: `http://127.0.0.1:${(forge.address() as AddressInfo).port}`
  })
  const lost = send(server.url, call('delete_branch', { project_id: '1', branch_name: 'x' })).catch(() => {})
  await until(() => asked)
  t.equal(await server.stop('SIGINT'), 0)
  await lost
  const lines = (await server.output()).split('\n').filter(line => line.includes('"tool call"'))
  t.match(
    lines.map(line => JSON.parse(line)),
    [{ tool: 'delete_branch', project: '1', object: { branch: 'x' }, upstream: /^127/, outcome: 'cut' }]
  )
  t.equal(lines.length, 1)
})

t.test('a process whose log nobody takes ends all the same, and says how many lines were lost', async t => {
  const server = await startServer(t, { REMOTE_AUTHORIZATION: 'true' })
  server.child.stdout!.destroy()
  t.equal(await server.stop(), 0)
  t.match(await server.output(), /Lines of the log that were lost, as it could not be written: [1-9]/)
})

t.test('SIGTERM ends a server at whatever point of its start it comes', async t => {
  const { command, args } = await serviceCommand(['--port=0', '--drain-seconds=0'])
  const ends = [50, 150, 250, 400, 600].map(async ms => {
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH },
      stdio: 'ignore'
    })
    t.teardown(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await sleep(ms)
    child.kill('SIGTERM')
    const [code, signal] = await ended
    // Before its first line runs, a process that is no container's first ends by the signal itself.
    t.ok(code === 0 || signal === 'SIGTERM', `${ms} ms: ${code ?? signal}`)
  })
  await Promise.all(ends)
})
