import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { publishing } from '../../.ci/release/commands.ts'
import { atHome, notesOf, released, releasedFiles } from '../../.ci/release/version.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const main = join(root, '.ci/release/main.ts')
const texts = Object.fromEntries(releasedFiles.map(file => [file, readFileSync(join(root, file), 'utf8')]))
const withNotes = { ...texts, 'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n' }

t.test('a release writes its version wherever one stands', async t => {
  const changed = released(withNotes, '9.8.7', '2030-01-02')
  const json = (file: string) => JSON.parse(changed[file]!)
  t.equal(json('package.json').version, '9.8.7')
  t.match(json('package-lock.json'), { version: '9.8.7', packages: { '': { version: '9.8.7' } } })
  t.match(json('server.json'), { version: '9.8.7', packages: [{ version: '9.8.7' }] })
  t.match(parse(changed['helm/Chart.yaml']!), { version: '9.8.7', appVersion: '9.8.7' })
  t.match(changed.Dockerfile, '\nARG VERSION=9.8.7\n')
  t.equal(changed['docs/kubernetes.md']!.match(/forge-tool-server:9\.8\.7/g)?.length, 2)
  // What it depends on may have that version, too, or one that ends so.
  const { dependencies, devDependencies, ...own } = json('package.json')
  const old = new RegExp(
    `(?<![\\d.])${JSON.parse(texts['package.json']!).version.replaceAll('.', '\\.')}(?![\\d.])`
  )
  for (const [file, text] of Object.entries({ ...changed, 'package.json': JSON.stringify(own) }))
    if (!/lock|CHANGELOG/.test(file)) t.notMatch(text, old, `${file} has no ${old} left`)
})

t.test('what was unreleased becomes its notes', async t => {
  const changelog = released(withNotes, '9.8.7', '2030-01-02')['CHANGELOG.md']!
  t.match(changelog, '## [Unreleased]\n\n## [9.8.7] - 2030-01-02\n\n### Added\n\n- A thing.\n')
  t.equal(notesOf(changelog, '9.8.7'), '### Added\n\n- A thing.')
  t.equal(notesOf(changelog, 'Unreleased'), '')
})

t.test('there is no release of nothing, twice, or without a version', async t => {
  const once = released(withNotes, '9.8.7', '2030-01-02')
  t.throws(() => released(once, '9.8.8', '2030-01-03'), /nothing under Unreleased/)
  t.throws(() => released(once, '9.8.7', '2030-01-03'), /has 9\.8\.7 already/)
  for (const other of ['v9', '9.8.7-rc.1', '9.8.7+1'])
    t.throws(() => released(withNotes, other, '2030-01-03'), /no version such as/)
  t.throws(() => released({ ...withNotes, Dockerfile: 'FROM x' }, '9.8.7', ''), /Dockerfile names no version/)
})

t.test('package and registry entry have the one name of who publishes them', async t => {
  const home = { namespace: 'io.github.acme', repository: 'https://github.com/acme/forge-tool-server' }
  const changed = atHome(texts, home)
  const [pack, server] = ['package.json', 'server.json'].map(file => JSON.parse(changed[file]!))
  t.equal(server.name, 'io.github.acme/forge-tool-server')
  t.equal(pack.mcpName, server.name)
  t.equal(server.repository.url, home.repository)
  t.match(pack.repository.url, home.repository)
  t.same(server.packages, JSON.parse(texts['server.json']!).packages)
})

t.test('all is made before the first leaves the machine', async t => {
  const places = {
    image: 'ghcr.io/acme/x',
    charts: 'oci://ghcr.io/acme/charts',
    revision: 'abc',
    created: 'now'
  }
  const words = publishing('9.8.7', places, 'out').map(({ words }) => words.join(' '))
  const leaves = (line: string) => /--push|helm push|publish/.test(line)
  t.equal(words.filter(leaves).length, 4)
  t.ok(words.slice(0, words.findIndex(leaves)).every(line => !leaves(line)))
  t.ok(words.slice(words.findIndex(leaves)).every(leaves))
  t.match(words.join('\n'), /--provenance=mode=max --sbom=true[^\n]*VERSION=9\.8\.7/)
})

const run = (cwd: string, ...args: string[]) =>
  // Without the hooks that tests load.
  execFileSync('env', ['NODE_OPTIONS=', process.execPath, main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe']
  })

/** A repository with no more than what a release changes. */
function repository(t: Test): { folder: string; git: (...args: string[]) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  for (const [file, text] of Object.entries(withNotes)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  git('init', '--quiet')
  git('config', 'user.name', 'test')
  git('config', 'user.email', 'test@example.com')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'begin')
  return { folder, git }
}

t.test('prepare commits and tags, once, and only what is committed', async t => {
  const { folder, git } = repository(t)
  t.match(run(folder, 'prepare', '9.8.7'), /git push --follow-tags/)
  t.equal(git('status', '--porcelain'), '')
  t.equal(git('log', '-1', '--format=%s'), 'Release 9.8.7')
  t.equal(git('tag', '--points-at', 'HEAD'), 'v9.8.7')
  t.match(git('tag', '--list', '--format=%(contents)', 'v9.8.7'), '### Added\n\n- A thing.')
  t.throws(() => run(folder, 'prepare', '9.8.7'), /v9\.8\.7 is tagged already/)
  writeFileSync(join(folder, 'Dockerfile'), 'changed')
  t.throws(() => run(folder, 'prepare', '9.8.8'), /not committed/)
})

t.test('a dry run tells all of it and changes nothing', async t => {
  const { folder, git } = repository(t)
  const before = git('rev-parse', 'HEAD')
  t.match(run(folder, 'prepare', '9.8.7', '--dry-run'), /would run git tag --annotate v9\.8\.7/)
  const places = [
    '--image=ghcr.io/acme/x',
    '--charts=oci://ghcr.io/acme/charts',
    '--namespace=io.github.acme'
  ]
  const told = run(folder, 'publish', ...places, '--repository=https://github.com/acme/x', '--dry-run')
  for (const words of [
    'would write server.json',
    'npm sbom',
    'docker buildx',
    'helm push',
    'npm publish',
    'mcp-publisher'
  ])
    t.match(told, words)
  t.equal(git('rev-parse', 'HEAD'), before)
  t.equal(git('status', '--porcelain'), '')
  t.equal(git('tag'), '')
})

/** Programs in place of the real ones, which write down what they are asked. */
function programs(folder: string, published: string): { PATH: string; ran: () => string[] } {
  const bin = join(folder, 'bin')
  const log = join(folder, 'ran')
  mkdirSync(bin)
  writeFileSync(log, '')
  for (const name of ['npm', 'helm', 'docker', 'mcp-publisher']) {
    const view = name === 'npm' ? `[ "$1" != view ] || { echo '${published}'; exit; }\n` : ''
    writeFileSync(join(bin, name), `#!/bin/sh\n${view}echo "${name} $1 $2" >>'${log}'\n`, { mode: 0o755 })
  }
  return {
    PATH: `${bin}:${process.env.PATH}`,
    ran: () => readFileSync(log, 'utf8').trim().split('\n')
  }
}

t.test('publish leaves its notes beside what it makes, and a second run what is out already', async t => {
  const places = ['--image=x', '--charts=oci://x', '--namespace=io.github.acme', '--repository=https://x']
  for (const [published, times] of [
    ['', 1],
    ['9.8.7', 0]
  ] as const) {
    const { folder } = repository(t)
    run(folder, 'prepare', '9.8.7')
    const { PATH, ran } = programs(mkdtempSync(join(folder, 'programs-')), published)
    execFileSync('env', ['NODE_OPTIONS=', process.execPath, main, 'publish', ...places], {
      cwd: folder,
      env: { PATH, HOME: process.env.HOME },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    t.equal(readFileSync(join(folder, 'release/notes.md'), 'utf8'), '### Added\n\n- A thing.')
    t.equal(ran().filter(line => line.startsWith('npm publish')).length, times)
    t.equal(ran().at(-1), 'mcp-publisher publish')
  }
})

t.test('nothing is published but a version that is tagged, by who says where', async t => {
  const { folder } = repository(t)
  t.throws(() => run(folder, 'publish'), /Usage/)
  const places = ['--image=x', '--charts=oci://x', '--namespace=io.github.acme', '--repository=https://x']
  t.throws(() => run(folder, 'publish', ...places), /is not v\d/)
  t.throws(() => run(folder, 'publish', ...places, '--charts=https://x'), /--charts is no oci/)
})

t.test('a word that it does not know is answered with those that it does', async t => {
  const { folder } = repository(t)
  t.throws(() => run(folder, '--help'), /Unknown option '--help'(?!.*node:internal).*Usage: npm run release/s)
})

const workflowOf = (file: string) => parse(readFileSync(join(root, '.github/workflows', file), 'utf8'))

t.test('what a change must pass runs for each change, and before a release', async t => {
  const { on, permissions, jobs } = workflowOf('ci.yml')
  t.same(Object.keys(on), ['push', 'pull_request', 'workflow_call'])
  t.same(permissions, {}, 'none by default')
  t.same(jobs.check.permissions, { contents: 'read' })
  t.equal(jobs.check.steps.at(-1).run, '.ci/run')
  const { check, publish } = workflowOf('release.yml').jobs
  t.equal(check.uses, './.github/workflows/ci.yml')
  t.same(check.permissions, jobs.check.permissions)
  t.equal(publish.needs, 'check')
})

t.test('the workflow runs scripts that are there, with the rights that each step needs', async t => {
  const workflow = workflowOf('release.yml')
  const { scripts } = JSON.parse(texts['package.json']!)
  const steps: { run?: string; uses?: string }[] = workflow.jobs.publish.steps
  const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run (?:--silent )?([\w:]+)/g)])
  t.ok(named.length > 0)
  for (const [, name = ''] of named) t.ok(name in scripts, name)
  t.same(workflow.permissions, {}, 'none by default')
  t.ok(steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance')))
  t.ok(steps.some(({ uses }) => uses?.startsWith('actions/attest-sbom')))
})
