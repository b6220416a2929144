import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadSettings } from '../../../src/config/secret-files.ts'
import { serverWith } from '../../../src/server.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, post, request, testServer } from '../../support/server.ts'
import { stdioServer } from '../../support/stdio.ts'
import { subscriber } from '../../support/subscription.ts'
import { until } from '../../support/until.ts'

async function settingsFile(t: Test, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'settings')
  const write = (content: string) => writeFile(path, content)
  await write(text)
  return { path, write }
}

async function scene(t: Test, text: string, settings: Record<string, string> = {}) {
  const log = captureLog()
  const { path, write } = await settingsFile(t, text)
  const server = await testServer(
    t,
    { FORGE_SETTINGS_PATH: path, LOG_LEVEL: 'silent', ...settings },
    log.stream
  )
  const change = async (content: string) => {
    await write(content)
    await server.readSettingsAgain()
  }
  const listed = async (): Promise<string[]> =>
    (await post(server, { body: request('tools/list') }))
      .json()
      .result.tools.map(({ name }: { name: string }) => name)
  const answer = async (tool: string, args: unknown): Promise<string> =>
    (await post(server, { body: call(tool, args) })).json().result.content[0].text
  return { log, server, change, listed, answer }
}

t.test(
  'a server starts with the settings that were checked, and takes over what has changed since',
  async t => {
    const { path, write } = await settingsFile(t, 'FORGE_READ_ONLY_MODE=true\n')
    const loaded = await loadSettings({ FORGE_SETTINGS_PATH: path, LOG_LEVEL: 'silent', DRAIN_SECONDS: '0' })
    await write('FORGE_READ_ONLY_MODE=false\n')
    const server = await serverWith(loaded)
    t.teardown(() => server.close())
    t.equal(server.config.FORGE_READ_ONLY_MODE, true)
    const taken: boolean[] = []
    server.onNewSettings({
      variables: ['FORGE_READ_ONLY_MODE'],
      use: config => taken.push(config.FORGE_READ_ONLY_MODE)
    })
    await server.readSettingsAgain()
    t.same(taken, [false])
  }
)

t.test('the level of the log changes while the service runs, for the lines of calls too', async t => {
  const { log, change, answer } = await scene(t, 'LOG_LEVEL=warn\n')
  const lines = async () => {
    await answer('discover_tools', {})
    return [log.lines('tool call').length, log.lines('token taken').length]
  }
  t.same(await lines(), [0, 0])
  await change('LOG_LEVEL=info\n')
  t.match(log.lines('settings taken over from files'), [
    { settings: ['LOG_LEVEL'], values: { LOG_LEVEL: 'info' } }
  ])
  t.same(await lines(), [1, 0])
  await change('LOG_LEVEL=debug\n')
  t.same(await lines(), [2, 1])
  await change('LOG_LEVEL=error\n')
  t.match(log.lines('settings taken over from files').at(-1), { values: { LOG_LEVEL: 'error' } })
  t.same(await lines(), [2, 1])
  await change('LOG_LEVEL=fatal\n')
  t.equal(
    log.lines('settings taken over from files').length,
    3,
    'and where neither level has it, it is not said'
  )
})

t.test('a level at which calls are not on record is warned of when it is taken over', async t => {
  const { log, change } = await scene(t, 'LOG_LEVEL=info\n')
  const warned = async (level: string) => {
    await change(`LOG_LEVEL=${level}\n`)
    return log.lines(`LOG_LEVEL=${level}: calls are not on record, as the audit lines have level info.`)
  }
  t.match(await warned('error'), [{ level: 40 }])
  t.same(await warned('info'), [])
  t.match(await warned('warn'), [{ level: 40 }])
  await change('LOG_LEVEL=warn\nFORGE_READ_ONLY_MODE=true\n')
  t.equal((await warned('warn')).length, 1, 'and once')
})

t.test('policy changes for what is listed, and for what is called, in sessions that have begun', async t => {
  const { change, listed, answer } = await scene(t, '# nothing\n')
  const before = await listed()
  t.ok(before.includes('create_issue') && !before.includes('list_pipelines'))
  await change('FORGE_READ_ONLY_MODE=true\nFORGE_TOOLSETS=issues,pipelines\n')
  const after = await listed()
  t.ok(!after.includes('create_issue') && after.includes('list_pipelines'))
  t.match(await answer('create_issue', { project_id: 'a/b', title: 'x' }), /only reading is allowed/)
  await change('FORGE_ALLOWED_PROJECT_IDS=a/b\n')
  t.match(await answer('get_issue', { project_id: 'c/d', issue_iid: '1' }), /c\/d/)
  await change('FORGE_DENIED_TOOLS_REGEX=^get_issue$\n')
  t.match(await answer('get_issue', { project_id: 'a/b', issue_iid: '1' }), /switched off/)
  await change('# nothing\n')
  t.same(await listed(), before)
})

for (const [policy, says] of [
  ['FORGE_READ_ONLY_MODE=true', /^update_issues changes things, and only reading is allowed here\.$/],
  ['FORGE_ALLOWED_PROJECT_IDS=acme/website', /^The policy of this server has changed since the call began/]
] as const)
  t.test(
    `of several things in one call those that have not begun when ${policy} comes are refused`,
    async t => {
      const waiting: (() => void)[] = []
      let isChanged = false
      const FORGE_API_URL = await listen(t, (_, response) => {
        const answer = () => response.setHeader('content-type', 'application/json').end('{"iid":1}')
        if (isChanged) answer()
        else waiting.push(answer)
      })
      const { log, change, answer } = await scene(t, 'LOG_LEVEL=info\n', { FORGE_API_URL })
      const issues = ['1', '2', '3', '4', '5', '6'].map(issue_iid => ({ issue_iid, title: 'x' }))
      const answered = answer('update_issues', { project_id: 'acme/rocket', issues })
      await until(() => waiting.length === 4)
      await change(`LOG_LEVEL=info\n${policy}\n`)
      isChanged = true
      for (const go of waiting) go()
      const records = JSON.parse(await answered)
      t.match(records.slice(0, 4), Array(4).fill({ iid: 1 }))
      t.match(records.slice(4), Array(2).fill({ problem: says }))
      t.match(log.lines('tool call'), [{ outcome: 'partial', reason: says }])
    }
  )

t.test('a file that has lost its text leaves the old settings as they are, and says so', async t => {
  const policy =
    'LOG_LEVEL=info\nFORGE_READ_ONLY_MODE=true\nFORGE_DENIED_TOOLS_REGEX=^get_issue$|^get_branch$'
  const { log, change, listed } = await scene(t, policy)
  const before = await listed()
  t.notOk(before.includes('create_issue') || before.includes('get_branch'))
  const cut = /may be cut short, as its last line has no line break: end it with one\.$/
  for (const [text, says] of [
    ['', /is empty/],
    [' \n\n', /is empty/],
    [policy.slice(0, -14), cut],
    [policy.slice(0, 40), cut],
    ['LOG_LEVEL=info\n# who may', cut]
  ] as const) {
    await change(text)
    t.match(log.lines('changed settings rejected, previous ones kept').at(-1), { problems: [says] })
    t.same(await listed(), before)
  }
  await change(`${policy.slice(0, -14)}\n`)
  t.ok((await listed()).includes('get_branch'), 'with its end a line is taken as it is')
})

t.test('no change is taken from a file whose last line has no end, wherever it may be cut', async t => {
  const { log, change, listed } = await scene(t, 'LOG_LEVEL=info\nFORGE_DENIED_TOOLS_REGEX=^get_issue$')
  const before = await listed()
  const rejected = () => log.lines('changed settings rejected, previous ones kept')
  for (const [text, notTaken] of [
    ['LOG_LEVEL=info\nFORGE_DENIED_TOOLS_REGEX=^get_branch$', ['FORGE_DENIED_TOOLS_REGEX']],
    ['LOG_LEVEL=info\nFORGE_TOOLSETS=wiki\nFORGE_DENIED_TOOLS_REGEX=^get_issue$', ['FORGE_TOOLSETS']],
    [
      'LOG_LEVEL=info\nFORGE_DENIED_TOOLS_REGEX=^get_issue$\nFORGE_ALLOWED_PROJECT_IDS=77',
      ['FORGE_ALLOWED_PROJECT_IDS']
    ],
    [
      'LOG_LEVEL=info\nFORGE_TOOLSETS=wiki\nFORGE_DENIED_TOOLS_REGEX=^get_issue$\nFORGE_CONFIRM=',
      ['FORGE_TOOLSETS']
    ]
  ] as const) {
    await change(text)
    t.match(rejected().at(-1), { problems: [/may be cut short/], notTaken })
    t.same(await listed(), before)
  }
  const told = rejected().length
  await change('LOG_LEVEL=info\nFORGE_DENIED_TOOLS_REGEX=^get_issue$\n# nothing el')
  t.equal(rejected().length, told, 'where nothing changes, nothing is lost')
  await change('LOG_LEVEL=info\nFORGE_DENIED_TOOLS_REGEX=^get_branch$\n')
  t.not((await listed()).includes('get_branch'), before.includes('get_branch'))
})

t.test('a previous key that is taken away is told from one that is replaced', async t => {
  const { path, write } = await settingsFile(t, secretOf('one'))
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', OAUTH_STATELESS_SECRET_PREVIOUS_FILE: path }
  const server = await testServer(t, settings, log.stream)
  const change = async (text: string) => {
    await write(text)
    await server.readSettingsAgain()
    return log.lines('settings taken over from files').at(-1)
  }
  t.notOk('filesNotThere' in (await change(secretOf('two')))!)
  t.match(await change(''), {
    level: 30,
    settings: ['OAUTH_STATELESS_SECRET_PREVIOUS'],
    filesNotThere: ['OAUTH_STATELESS_SECRET_PREVIOUS_FILE']
  })
})

t.test('a pattern that denies no tool there is, is told of, at the start and when it changes', async t => {
  const { log, change } = await scene(t, 'LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=^delet_\n')
  const told = () =>
    log.lines('FORGE_DENIED_TOOLS_REGEX matches the name of no tool: it denies nothing.').length
  t.equal(told(), 1)
  await change('LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=^delete_\n')
  t.equal(told(), 1)
  await change('LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=^erase_everything$\n')
  t.equal(told(), 2)
})

t.test('of such a pattern it is told what of it is of another notation', async t => {
  const { log, change } = await scene(t, 'LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=^delete_\n')
  const last = async (pattern: string) => {
    await change(`LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=${pattern}\n`)
    return log.lines().findLast(({ level }) => level === 40)?.msg
  }
  const nothing = 'FORGE_DENIED_TOOLS_REGEX matches the name of no tool: it denies nothing.'
  const slashes = `${nothing} A pattern has no slashes around it, and no flags.`
  t.equal(await last('/delete/i'), slashes)
  t.equal(await last('/^(?:merge|delete)_/'), slashes)
  t.equal(await last('delete_issue,merge_merge_request'), `${nothing} Names are parted by |, not by commas.`)
  t.equal(await last('DELETE_.*'), `${nothing} Names have small letters alone.`)
  t.equal(await last('^delet_{2,3}$'), nothing)
})

t.test('a pattern that denies every tool there is, is told of', async t => {
  const { log, change } = await scene(t, 'LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=.*\n')
  const told = () =>
    log.lines('FORGE_DENIED_TOOLS_REGEX matches the names of all tools: nothing can be called.').length
  t.equal(told(), 1)
  await change('LOG_LEVEL=warn\nFORGE_DENIED_TOOLS_REGEX=^(?!get_issue$)\n')
  t.equal(told(), 1)
})

t.test(
  'a default project that is not allowed is told of, as every call that counts on it is refused',
  async t => {
    const { log, change } = await scene(t, 'LOG_LEVEL=warn\nFORGE_ALLOWED_PROJECT_IDS=acme/site\n', {
      FORGE_PROJECT_ID: 'Acme/Rocket'
    })
    const told = () =>
      log.lines(
        'FORGE_PROJECT_ID is none of FORGE_ALLOWED_PROJECT_IDS, as it is written: calls that name no project are refused.'
      ).length
    t.equal(told(), 1)
    await change('LOG_LEVEL=warn\nFORGE_ALLOWED_PROJECT_IDS=acme/site,acme/rocket\n')
    t.equal(told(), 1)
  }
)

t.test('a file that is wrong is told of and not used: the old settings stay', async t => {
  const good = 'LOG_LEVEL=info\nFORGE_READ_ONLY_MODE=true\n'
  const { log, server, change, listed } = await scene(t, good)
  // Those who scrape at once share a text, which may be older than the change.
  const refused = (value: number) =>
    until(async () =>
      (await server.inject('/metrics?format=prometheus')).body.includes(
        `\nforge_mcp_settings_refused ${value}\n`
      )
    )
  const before = await listed()
  await refused(0)
  for (const [text, says] of [
    ['FORGE_READ_ONLY_MODE=maybe\n', /^FORGE_SETTINGS_PATH: FORGE_READ_ONLY_MODE must be/],
    [
      'FORGE_TOOLS=xyz,wiki,get_isue\n',
      /^FORGE_SETTINGS_PATH: FORGE_TOOLS names unknown tools: xyz, wiki \(a toolset, which FORGE_TOOLSETS takes\), get_isue \(get_issue may be meant\)/
    ],
    ['PORT=1\n', /^FORGE_SETTINGS_PATH, line 1: PORT is read at the start/]
  ] as const) {
    await change(text)
    t.match(log.lines('changed settings rejected, previous ones kept').at(-1), { problems: [says] })
    t.same(await listed(), before)
    await refused(1)
  }
  await change(good)
  t.equal(log.lines('settings files are valid again').length, 1)
  await refused(0)
  await change(`${good}FORGE_TOOLSETS=ci\n`)
  t.not((await listed()).length, before.length, 'and a good one is used again')
})

t.test('clients that listen are told that lists have changed: by subscription, and over stdio', async t => {
  const { server, change, listed } = await scene(t, '# nothing\n')
  const { listen } = await subscriber(t, server)
  const stream = await listen({ toolsListChanged: true })
  await stream.next()
  await change('LOG_LEVEL=silent\n')
  await change('FORGE_READ_ONLY_MODE=true\n')
  t.match((await stream.next()).value, { method: 'notifications/tools/list_changed' })
  t.notOk((await listed()).includes('create_issue'), 'and the list is the new one')

  const { path, write } = await settingsFile(t, '# nothing\n')
  const stdio = await stdioServer(t, undefined, { FORGE_SETTINGS_PATH: path })
  stdio.write(initialize())
  await stdio.next()
  await write('FORGE_READ_ONLY_MODE=true\n')
  await stdio.server.readSettingsAgain()
  const told = [await stdio.next(), await stdio.next(), await stdio.next()].map(({ method }) => method)
  t.same(told.toSorted(), [
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/tools/list_changed'
  ])
  stdio.write(request('tools/list', {}, 2))
  const { result } = await stdio.next()
  t.notOk(result.tools.some(({ name }: { name: string }) => name === 'create_issue'))
})

t.test(
  'what was completed from another project is forgotten with the policy that let it be seen',
  async t => {
    const forge = await listen(t, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('[{"name":"hidden-branch"}]')
    })
    const { server, change } = await scene(t, '# nothing\n', { FORGE_API_URL: forge })
    const branches = async () => {
      const body = request('completion/complete', {
        ref: { type: 'ref/resource', uri: 'forge://projects/{project_id}/files/{ref}/{+path}' },
        argument: { name: 'ref', value: '' },
        context: { arguments: { project_id: 'acme/website' } }
      })
      return (await post(server, { body })).json().result.completion.values
    }
    t.same(await branches(), ['hidden-branch'])
    await change('FORGE_ALLOWED_PROJECT_IDS=acme/rocket\n')
    t.same(await branches(), [])
  }
)

t.test('mistakes in a rotation of the sealing key are warned of', async t => {
  const replaced = 'sealing key replaced, what the former one has sealed is refused from now on'
  const lost =
    'previous sealing key taken away, which was not the key while this process ran: if it was to be the new one, the key was not changed'
  const early =
    'previous sealing key replaced by another while what it has sealed lives, which is refused from now on: put it back'
  const again =
    'sealing key replaced again while what the key before the former one has sealed lives, which is refused from now on: put both back'
  const inUse =
    'previous sealing key taken away while what it has sealed is in use, which is refused from now on: put it back'
  const folder = await mkdtemp(join(tmpdir(), 'keys-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const [key, previous] = [join(folder, 'key'), join(folder, 'previous')]
  const log = captureLog()
  await writeFile(key, secretOf('one'))
  const server = await testServer(
    t,
    {
      OAUTH_STATELESS_MODE: 'true',
      OAUTH_STATELESS_SECRET_FILE: key,
      OAUTH_STATELESS_SECRET_PREVIOUS_FILE: previous,
      LOG_LEVEL: 'warn'
    },
    log.stream
  )
  const warnings = async (current: string, before: string) => {
    await writeFile(key, secretOf(current))
    await writeFile(previous, before && secretOf(before))
    await server.readSettingsAgain()
    return [replaced, lost, early, again].map(warning => log.lines(warning).length)
  }
  t.same(await warnings('one', 'two'), [0, 0, 0, 0], 'learn to open')
  t.same(await warnings('two', 'one'), [0, 0, 0, 0], 'seal with it')
  t.same(await warnings('two', 'three'), [0, 0, 1, 0], 'the first step again, with another key')
  t.same(await warnings('four', 'three'), [1, 0, 1, 0], 'the first step left out')
  t.same(await warnings('four', 'five'), [1, 0, 1, 0], 'learn to open')
  t.same(await warnings('four', ''), [1, 1, 1, 0], 'the second step left out')
  t.same(await warnings('five', 'four'), [1, 1, 1, 0], 'begin with the second step')
  t.same(await warnings('six', 'five'), [1, 1, 1, 1], 'and again')
  const { headers } = await post(server, { body: initialize() })
  const statusOfCall = async () =>
    (
      await post(server, {
        token: '',
        headers: { 'mcp-session-id': headers['mcp-session-id'] as string },
        body: request('tools/list')
      })
    ).statusCode
  t.same(await warnings('six', 'seven'), [1, 1, 2, 1], 'learn to open')
  t.same(await warnings('seven', 'six'), [1, 1, 2, 1], 'seal with it')
  t.equal(await statusOfCall(), 200)
  t.same(await warnings('seven', ''), [1, 1, 2, 1])
  t.equal(await statusOfCall(), 404)
  t.match(log.lines(inUse), [{ lastUsedSecondsAgo: Number }], 'the third step while a session goes on')
  t.same(await warnings('seven', 'six'), [1, 1, 2, 1], 'put back')
  t.equal(await statusOfCall(), 200)
})
