import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { variables } from '../src/config/schema.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')

/** The first words of the README that have a form, behind the line that they are in. */
function inReadme(form: RegExp): string {
  const lines = readme.split('\n')
  const at = lines.findIndex(line => form.test(line))
  return `README.md:${at + 1}: ${form.exec(lines[at] ?? '')?.[0]}`
}

/** The cells of a table's row, by what it begins with. */
const cells = (text: string, first: string): string[] =>
  text
    .split('\n')
    .find(line => line.startsWith(`| ${first} |`))!
    .split('|')
    .slice(2, -1)
    .map(cell => cell.trim())

t.test('the README is read in one go', async t => {
  t.ok(readme.split('\n').length <= 200)
})

t.test('what the pages link to is there', async t => {
  const missing: string[] = []
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })])
    for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g))
      if (!existsSync(join(root, dirname(page), target!))) missing.push(`${page}: ${target}`)
  t.same(missing, [])
})

t.test('the files and folders that the pages name are there', async t => {
  const missing: string[] = []
  let seen = 0
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })])
    for (const [, path] of read(page).matchAll(
      /`((?:src|plugins|test|prompts|resources|completions|helm|\.ci|\.github)\/[\w./-]*)`/g
    )) {
      // Methods of MCP look like paths in two of the folders.
      if (/^(?:prompts|resources)\/\w+(?:\/\w+)?$/.test(path!)) continue
      if (!existsSync(join(root, path!))) missing.push(`${page}: ${path}`)
      seen++
    }
  t.same(missing, [])
  t.ok(seen > 100)
})

t.test('the README compares with the numbers that were measured, rounded', async t => {
  const page = read('docs/efficiency.md')
  const [calls, , bytes, , tokens, search, others, named] = cells(page, '**All but ¹**')
  const [own, list] = [
    /ours lists (\d+) bytes and theirs (\d+)/.exec(page)!.slice(1),
    cells(page, 'Backport')[8]
  ]
  for (const [row, unit, measured] of [
    ['Calls', 1, [calls!.split(' / ')[0], undefined, calls!.split(' / ')[1]]],
    ['KB of calls and results', 1000, [bytes!.split(' / ')[0], undefined, bytes!.split(' / ')[1]]],
    ['Thousands of tokens, the list of tools among them', 1000, [tokens, search, others, named]],
    ['KB to list what is on by default', 1000, [own[0], list, own[1]]]
  ] as const)
    for (const [at, number] of measured.entries()) {
      if (number === undefined) continue
      const measuredIn = Number(number) / unit
      const rounded = measuredIn.toFixed(measuredIn < 10 ? 1 : 0)
      t.equal(cells(readme, row)[at], rounded, `${row}: measured ${number}`)
    }
})

t.test('each metric has its place in the page for operators', async t => {
  const page = read('docs/operations.md')
  const gauges = globSync('plugins/**/*.ts', { cwd: root }).map(read).join('\n')
  const names = [
    ...read('src/metrics/metrics.ts').matchAll(/`\$\{tag\}(\w+)`/g),
    ...gauges.matchAll(/\bmetrics\.watch\(\s*'(\w+)'/g)
  ].map(([, name]) => name!)
  t.ok(names.includes('faults_total') && names.includes('draining'))
  t.same(
    names.filter(name => !new RegExp(`\\b${name}\\b`).test(page)),
    []
  )
})

t.test('the oldest Node.js is the same wherever it is said', async t => {
  const oldest = /^>=(\d+\.\d+)$/.exec(JSON.parse(read('package.json')).engines.node)![1]!
  t.match(inReadme(/Node\.js \S+ or newer/), `: Node.js ${oldest} or newer`)
  t.match(read('src/cli.ts'), `const OLDEST_NODE = '${oldest}'\n`)
  t.match(read('esbuild.config.ts'), `target: 'node${oldest}'`)
})

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'helm/README.md',
  ...globSync('docs/**/*.md', { cwd: root })
]

/** As GitHub and GitLab make them of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

t.test('where the pages link into a page, there is such a heading', async t => {
  let seen = 0
  for (const page of pages)
    for (const [, target, anchor] of read(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const file = target === '' ? page : join(dirname(page), target!)
      const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))
      t.ok(anchors.includes(anchor!), `${page}: ${target}#${anchor}`)
      seen++
    }
  t.ok(seen > 5)
})

t.test('the commands that the pages name are there', async t => {
  const { scripts } = JSON.parse(read('package.json'))
  const missing: string[] = []
  let seen = 0
  for (const page of pages)
    for (const [, script] of read(page).matchAll(/npm\s+run\s+(?:-s\s+)?([\w:]+)/g)) {
      if (!(script! in scripts)) missing.push(`${page}: npm run ${script}`)
      seen++
    }
  t.same(missing, [])
  t.ok(seen > 20)
})

/** Names in capitals that are others'. */
const foreign =
  /^(?:OTEL_(?:EXPORTER_OTLP_(?:HEADERS|TRACES)|RESOURCE_ATTRIBUTES)|NODE_|FORGE_DOCTOR_TOKEN|FORGE_TOKEN|FORGE_OAUTH_TOKEN|FORGE_API_ULR)/

t.test('the variables that the pages name are there', async t => {
  const known = new Set<string>(variables)
  const unknown: string[] = []
  let seen = 0
  for (const page of pages)
    for (const [name] of read(page).matchAll(
      /\b(?:FORGE|MCP|OAUTH|MAX|OTEL|SESSION|ENABLE|REMOTE|STREAMABLE)_[A-Z_]+\b/g
    )) {
      if (foreign.test(name) || name.endsWith('_')) continue
      if (!known.has(name)) unknown.push(`${page}: ${name}`)
      seen++
    }
  t.same(unknown, [])
  t.ok(seen > 100)
})

t.test('the operator’s page tells of each alert, and of none that there is not', async t => {
  const alerts = (text: string) => [...new Set(text.match(/\bForgeToolServer\w+/g))].sort()
  t.same(alerts(read('docs/operations.md')), alerts(read('docs/alerts.yml')))
})

t.test('each alert names the place in a page that tells of it', async t => {
  const rules = read('docs/alerts.yml')
    .split(/^ +- alert: /m)
    .slice(1)
  t.ok(rules.length > 10)
  for (const rule of rules) {
    const [name] = rule.split('\n')
    const [, page, anchor] = /^ +runbook_url: (docs\/\S+)#(\S+)$/m.exec(rule) ?? []
    t.equal(read(page!).split(`<a id="${anchor}"></a>\`${name}\``).length, 2, name!)
  }
})

t.test('the operator’s page tells of each warning and error in the log', async t => {
  const page = read('docs/operations.md').replaceAll(/\s+/g, ' ')
  const source = globSync('{src,plugins}/**/*.ts', { cwd: root }).map(read).join('\n')
  const lines = [
    ...source.matchAll(/\b(?:log(?:ger)?\.(?:warn|error|fatal)|warn)\(((?:[^()]|\([^()]*\))*)\)/g)
  ]
    .flatMap(([, said]) => [...said!.matchAll(/'([^'\n]+ [^'\n]+)'/g)])
    // The longest one the page has by its beginning.
    .map(([, words]) => words!.replace(/: if this address.*/, ''))
  t.ok(lines.length >= 15, `${lines.length} lines`)
  for (const words of lines) t.ok(page.includes(words), words)
})

t.test('the answers that the operator’s page quotes are given somewhere', async t => {
  const source = globSync('{src,plugins}/**/*.ts', { cwd: root }).map(read).join('\n')
  const quoted = [
    ...read('docs/operations.md').matchAll(/^\| (?:\d{3} )?((?:`[A-Z][^`]+`(?:, )?)+)[^|]*\|/gm)
  ]
    .flatMap(([, words]) => [...words!.matchAll(/`([A-Z][a-z][^`…]+)/g)])
    .map(([, words]) => words!.trim())
    .filter(words => words.includes(' '))
  t.ok(quoted.length >= 12, `${quoted.length} answers`)
  for (const words of quoted) t.ok(source.includes(words.replace(/ \(request.*/, '')), words)
})

t.test('the number of tools and toolsets is the same wherever it is said', async t => {
  const [, tools, toolsets] = /^(\d+) tools in (\d+) toolsets/m.exec(read('docs/tools.md'))!
  t.match(inReadme(/\d+ in \d+ toolsets/), `: ${tools} in ${toolsets} toolsets`)
  const table = read('docs/tools.md').match(/^\| \[\w+\]\(#\w+\) \| (\d+)/gm)!
  t.equal(table.length, Number(toolsets))
})

t.test('the tool that is added as an example is not there yet', async t => {
  const [, example] = /^ {2}name: '(\w+)',$/m.exec(read('CONTRIBUTING.md'))!
  t.notOk(read('docs/tools.md').includes(`### ${example}\n`), example!)
})

t.test('a proxy of one’s own gets the settings that the chart’s ingress gets', async t => {
  const own = /```nginx\n([^`]*)```/.exec(read('docs/operations.md'))![1]!
  const annotations = read('helm/ci/ingress-nginx-values.yaml').matchAll(
    /nginx\.ingress\.kubernetes\.io\/proxy-([\w-]+): '?(\w+)/g
  )
  const wanted = Object.fromEntries([...annotations].map(([, name, value]) => [name, value]))
  t.match(own, `proxy_buffer_size ${wanted['buffer-size']};`)
  t.match(own, `proxy_read_timeout ${wanted['read-timeout']}s;`)
  t.match(own, `client_max_body_size ${wanted['body-size']};`)
  t.match(own, 'proxy_set_header Host $host;')
  const replicas = own.match(/^ +server 127\..*$/gm)!
  t.equal(replicas.length, 2)
  for (const replica of replicas)
    t.match(replica, 'max_fails=0;', 'a fault met by one caller is not held against all')
})

t.test(
  'a proxy of one’s own takes the path of MCP_SERVER_URL away, and hides the same paths below it',
  async t => {
    const [whole, below] = [...read('docs/operations.md').matchAll(/```nginx\n([^`]*)```/g)].map(
      ([, text]) => text!
    )
    t.match(below, 'location /tools/ { proxy_pass http://forge_tools/; }')
    t.match(below, 'location /.well-known/ { proxy_pass http://forge_tools; }')
    const hidden = /location ~ \^(\S*)\/(\(\S+\)) \{ return 404; \}/
    t.same(hidden.exec(below!)?.slice(1), ['/tools', hidden.exec(whole!)?.[2]])
  }
)

t.test('the logs of pods that are told by a label are asked for whole', async t => {
  const asked = pages.flatMap(page =>
    [
      ...read(page)
        .replaceAll('\\\n', '')
        .matchAll(/kubectl[^\n]* logs [^\n]*/g)
    ].map(([command]) => command)
  )
  t.ok(asked.filter(command => command.includes(' -l ')).length >= 2)
  // kubectl gives ten lines of each otherwise, and fails at six pods.
  for (const command of asked.filter(command => command.includes(' -l ')))
    t.match(command, /-l .*--tail=-1 .*--max-log-requests=\d+/)
})

t.test('pods that are told by a label are those of one release', async t => {
  const labels = pages.flatMap(page =>
    [...read(page).matchAll(/\S*app\.kubernetes\.io\/component=\S*/g)].map(([words]) => words)
  )
  t.ok(labels.length >= 2)
  for (const label of labels) t.match(label, 'app.kubernetes.io/instance=')
})

t.test(
  'what reads the log passes over lines that are no JSON, as a process writes that cannot start',
  async t => {
    const readers = pages.flatMap(page =>
      [...read(page).matchAll(/\bjq [^\n]*select\([^\n]*/g)].map(([command]) => command)
    )
    t.ok(readers.length >= 1)
    for (const command of readers) t.match(command, /^jq -Rc 'fromjson\? \| select\(/)
  }
)

t.test('what reads the log of all pods puts the name of its pod into each line', async t => {
  const [, script] = /^ *sed -E '(.+)' \|\n +jq -Rc /m.exec(read('docs/operations.md'))!
  const line = '{"level":30,"says":"[pod/x/y] {\\"a\\":1}","msg":"tool call"}'
  const input = [
    `[pod/forge-7f9c-abcde/forge-tool-server] ${line}`,
    '[pod/forge-7f9c-abcde/forge-tool-server] cannot start: FORGE_API_URL is missing',
    line
  ].join('\n')
  t.same(execFileSync('sed', ['-E', script!], { input, encoding: 'utf8' }).split('\n'), [
    `{"pod":"forge-7f9c-abcde",${line.slice(1)}`,
    '[pod/forge-7f9c-abcde/forge-tool-server] cannot start: FORGE_API_URL is missing',
    line
  ])
})

t.test(
  'outside Kubernetes what reads the log of several processes puts their names into its lines',
  async t => {
    const page = read('docs/operations.md')
    const line = '{"level":30,"says":"host x[1]: {","msg":"tool call"}'
    const named = (script: RegExp, prefix: string) =>
      execFileSync('sed', ['-E', script.exec(page)![1]!], { input: `${prefix}${line}`, encoding: 'utf8' })
    t.same(
      [
        named(/docker compose logs --since 1h`\s+through `sed -E '([^']+)'`/, 'server-1  | '),
        named(
          /journalctl -u [^`]+`\s+through\s+`sed -E '([^']+)'`/,
          'Nov 29 07:00:00 host forge-tool-server[123]: '
        )
      ],
      [`{"pod":"server-1",${line.slice(1)}`, `{"pod":"forge-tool-server[123]",${line.slice(1)}`]
    )
  }
)

t.test('values that install the chart by themselves name an image that can be pulled', async t => {
  const whole = [...read('docs/kubernetes.md').matchAll(/```yaml\n(# values\.yaml\n[^`]*)```/g)]
    .map(([, text]) => text!)
    .filter(text => text.includes('FORGE_API_URL:'))
  t.ok(whole.length > 1)
  for (const text of whole) {
    t.match(text, /^image:\n {2}registry: \S+\n {2}repository: \S+$/m)
    // Pods wait for their sealing key, which nobody else makes in a Secret that is named.
    if (text.includes('existingSecret:')) t.match(text, 'OAUTH_STATELESS_SECRET')
  }
})

t.test('the operator’s page refers to its questions by their words, as others come between them', async t => {
  const page = read('docs/operations.md')
  t.notMatch(page, /\b(?:next|last|previous) question|question (?:after|before|above|below|on that)/)
  const named = [...page.matchAll(/\(`([A-Z][^`]*\?)`\)/g)].map(([, question]) => question!)
  t.ok(named.length > 1)
  for (const question of named) t.match(page, `\n| ${question} |`)
})
