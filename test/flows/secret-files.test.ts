import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { serviceCommand } from '../support/built.ts'
import { listen } from '../support/listen.ts'
import { startServer } from '../support/process.ts'
import { secretOf } from '../support/sealing.ts'
import { call, initialize, TOKEN } from '../support/server.ts'

// They wait more than they work.
t.jobs = 3

const SID = 'mcp-session-id'

t.test('a sealing key is rotated while the process serves, and no session id is lost', async t => {
  const mount = await mkdtemp(join(tmpdir(), 'mount-'))
  t.teardown(() => rm(mount, { recursive: true }))
  /** As a kubelet exchanges all files of a volume: by one link to a folder. */
  let version = 0
  const put = async (secrets: Record<string, string>) => {
    const folder = `..${++version}`
    await mkdir(join(mount, folder))
    for (const [name, text] of Object.entries(secrets)) await writeFile(join(mount, folder, name), text)
    await symlink(folder, join(mount, '..new'))
    await rename(join(mount, '..new'), join(mount, '..data'))
  }
  const file = (name: string) => join(mount, '..data', name)
  await put({ secret: secretOf('old') })
  const server = await startServer(t, {
    FORGE_API_URL: 'http://127.0.0.1:9',
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET_FILE: file('secret'),
    OAUTH_STATELESS_SECRET_PREVIOUS_FILE: file('previous')
  })
  const send = (body: unknown, headers: Record<string, string>) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body)
    })
  const sidAfter = async (response: Promise<Response>) => (await response).headers.get(SID)!
  const status = async (sid: string) => (await send(call('discover_tools', {}), { [SID]: sid })).status
  const takenOver = async (times: number) => {
    while ((await server.output()).split('settings taken over').length <= times) await sleep(200)
  }

  const old = await sidAfter(send(initialize(), { 'private-token': TOKEN }))
  await put({ secret: secretOf('old'), previous: secretOf('new') })
  await takenOver(1)
  t.equal(await status(old), 200)
  await put({ secret: secretOf('new'), previous: secretOf('old') })
  await takenOver(2)
  const renewed = await sidAfter(send(call('discover_tools', {}), { [SID]: old }))
  t.ok(renewed, 'the old session id still opens')
  await put({ secret: 'cut short', previous: secretOf('old') })
  while (!(await server.output()).includes('changed settings rejected, previous ones kept')) await sleep(200)
  t.equal(await status(renewed), 200, 'a secret that is no good changes nothing')
  await put({ secret: secretOf('new') })
  await takenOver(3)
  t.equal(await status(renewed), 200)
  t.equal(await status(old), 404, 'the old secret is forgotten')
  t.notMatch(await server.output(), secretOf('new').slice(0, 20))
})

t.test('a personal token that is exchanged in its file is used for the next call', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'token-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'token')
  await writeFile(file, 'glpat-first-first-first')
  const sent: unknown[] = []
  const forge = await listen(t, (request, response) => {
    sent.push(request.headers['private-token'])
    response.end('{"name":"main"}')
  })
  const server = await startServer(t, {
    FORGE_API_URL: `${forge}/api/v4`,
    REMOTE_AUTHORIZATION: 'false',
    FORGE_PERSONAL_ACCESS_TOKEN_FILE: file
  })
  const branch = async () => {
    await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call('get_branch', { project_id: '1', branch_name: 'main' }))
    })
    return sent.at(-1)
  }
  t.equal(await branch(), 'glpat-first-first-first')
  await writeFile(file, 'glpat-second-second-2')
  while (!(await server.output()).includes('settings taken over')) await sleep(200)
  t.equal(await branch(), 'glpat-second-second-2')
})

t.test('SIGHUP has the files of settings read at once, and ends nothing', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'settings')
  await writeFile(file, 'LOG_LEVEL=info')
  const server = await startServer(t, { FORGE_SETTINGS_PATH: file })
  const until = async (text: string) => {
    while (!(await server.output()).includes(text)) await sleep(50)
  }
  await until('has no line break, so the file may be cut short')
  server.child.kill('SIGHUP')
  await until('files of settings are read again')
  await writeFile(file, 'LOG_LEVEL=debug\nFORGE_READ_ONLY_MODE=true\n')
  server.child.kill('SIGHUP')
  await until('settings taken over from files')
  await writeFile(file, 'LOG_LEVEL=loud\n')
  server.child.kill('SIGHUP')
  await until('changed settings rejected, previous ones kept')
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(call('create_issue', { project_id: '1', title: 'x' }))
  })
  t.match(await answer.text(), /only reading is allowed/)
  await until('"msg":"token taken"')
  t.equal(await server.stop('SIGTERM'), 0)
})

/** Sends the process a SIGHUP while it starts: its first handler of a signal stands, and little else is loaded. */
const hungUpEarly = `--import=data:text/javascript,${encodeURIComponent(
  "let isSent; process.on('newListener', event => { if (event !== 'SIGTERM' || isSent) return; isSent = true; setImmediate(() => process.kill(process.pid, 'SIGHUP')) })"
)}`

t.test('SIGHUP to a server that still starts ends nothing over HTTP, and ends it over stdio', async t => {
  const server = await startServer(t, { NODE_OPTIONS: hungUpEarly })
  t.equal(await server.stop('SIGTERM'), 0)
  const { command, args } = await serviceCommand(['--streamable-http=false'], { NODE_OPTIONS: hungUpEarly })
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, FORGE_PERSONAL_ACCESS_TOKEN: TOKEN },
    stdio: ['pipe', 'ignore', 'ignore']
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'close')
})
