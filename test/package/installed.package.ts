import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Lines } from '../support/lines.ts'
import { startServer } from '../support/process.ts'
import { quietly, run, Unavailable } from '../support/program.ts'
import { initialize, TOKEN } from '../support/server.ts'

/*
 * npm run test:package: what users get. The package is made and installed in an empty folder, and its command is run.
 * Skipped where there is no registry to install its dependencies from.
 */

const { version, engines } = JSON.parse(await readFile('package.json', 'utf8'))
const answer = { result: { serverInfo: { name: 'forge-tool-server', version } } }

const folder = t.testdir({ empty: { 'package.json': '{"private":true}' } })
const [{ filename, files }] = JSON.parse(
  await run('npm', ['pack', '--json', '--loglevel=error', `--pack-destination=${folder}`])
)
const home = join(folder, 'empty')
const installed = await run(
  'npm',
  ['install', '--omit=dev', '--no-audit', ...quietly, join(folder, filename)],
  {
    cwd: home
  }
).then(
  () => true,
  error => {
    if (error instanceof Unavailable) return false
    throw error
  }
)
const bin = join(home, 'node_modules/.bin/forge-tool-server')
const skip = installed ? false : 'there is no registry for its dependencies'

t.test('the package holds the program, its documents and licenses, and nothing of the workshop', async t => {
  const paths: string[] = files.map(({ path }: { path: string }) => path)
  for (const path of [
    'dist/src/cli.js',
    'dist/src/third-party-licenses.txt',
    'README.md',
    'LICENSE',
    'CHANGELOG.md'
  ])
    t.ok(paths.includes(path), path)
  t.same(
    paths.filter(path => /^(src|test|tools|plugins|node_modules|helm)\/|\.map$|\.test\./.test(path)),
    []
  )
})

t.test('its command says its version', { skip }, async t => {
  t.equal(await run(bin, ['--version'], { cwd: home }), `${version}\n`)
})

t.test('its command serves over stdio', { skip }, async t => {
  const env = {
    PATH: process.env.PATH,
    FORGE_PERSONAL_ACCESS_TOKEN: TOKEN,
    FORGE_API_URL: 'http://127.0.0.1:9'
  }
  const program = new Lines(bin, ['--streamable-http=false'], { cwd: home, env })
  t.teardown(() => program.close())
  t.match(await program.ask(initialize()), answer)
})

t.test('its command serves over HTTP', { skip }, async t => {
  const server = await startServer(t, {}, bin)
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'private-token': TOKEN },
    body: JSON.stringify(initialize())
  })
  t.match(await response.json(), answer)
  t.equal(await server.stop(), 0)
})

t.test('on a Node that is too old it says which one it is made for', { skip }, async t => {
  const [, oldest, major, minor] = /^>=((\d+)\.(\d+))$/.exec(engines.node)!
  const older = `${major}.${Number(minor) - 1}.3`
  const preload = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${older}'})`
  const child = spawn(process.execPath, [`--import=${preload}`, bin, '--version'], { cwd: home })
  let said = ''
  for await (const chunk of child.stderr) said += chunk
  t.match(said, `Node.js ${older} is too old: forge-tool-server is made for ${oldest} or newer.`)
})
