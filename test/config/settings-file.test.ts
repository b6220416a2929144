import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { loadSettings } from '../../src/config/secret-files.ts'
import { parseSettings } from '../../src/config/settings-file.ts'

t.test('a file of settings has a NAME=value a line; blank lines and remarks are none', async t => {
  t.same(parseSettings('# who may do what\n\nLOG_LEVEL=debug\r\n FORGE_TOOLS = "a, b" \nFORGE_TOOLSETS=\n'), {
    settings: { LOG_LEVEL: 'debug', FORGE_TOOLS: 'a, b', FORGE_TOOLSETS: '' },
    faults: []
  })
})

t.test('each wrong line is told by its number, without its value', async t => {
  t.same(parseSettings('LOG_LEVEL\nFORGE_TOOLZ=x\nPORT=80\nLOG_LEVEL=info\nLOG_LEVEL=warn').faults, [
    'FORGE_SETTINGS_PATH, line 1: it must be NAME=value.',
    'FORGE_SETTINGS_PATH, line 2: FORGE_TOOLZ is no variable of this service: FORGE_TOOLS may be meant.',
    'FORGE_SETTINGS_PATH, line 3: PORT is read at the start alone: set it there.',
    'FORGE_SETTINGS_PATH, line 5: LOG_LEVEL is there twice.'
  ])
})

t.test(
  'a name that is none is told with the one that was meant, or with all that may stand there',
  async t => {
    const hints = (name: string) => parseSettings(`${name}=x`).faults.join().split('service: ')[1]
    for (const [name, meant] of [
      ['LOGLEVEL', 'LOG_LEVEL'],
      ['log_level', 'LOG_LEVEL'],
      ['READ_ONLY', 'FORGE_READ_ONLY_MODE'],
      ['GITLAB_READ_ONLY_MODE', 'FORGE_READ_ONLY_MODE'],
      ['FORGE_TOOLSET', 'FORGE_TOOLSETS'],
      ['FORGE_API_ULR', 'FORGE_API_URL']
    ] as const)
      t.equal(hints(name), `${meant} may be meant.`, name)
    t.match(hints('WEATHER'), /^LOG_LEVEL, FORGE_TOOLSETS, .* may stand here\.$/)
  }
)

t.test('a comment behind a value is told of: a pattern with one would deny nothing', async t => {
  t.same(
    parseSettings('FORGE_DENIED_TOOLS_REGEX=^delete_   # no deletes\n  # LOG_LEVEL=x\nLOG_LEVEL=info\n'),
    {
      settings: { LOG_LEVEL: 'info' },
      faults: ['FORGE_SETTINGS_PATH, line 1: a comment needs a line of its own.']
    }
  )
})

t.test('lines of a shell’s are read, and those of YAML or JSON are told what is wrong', async t => {
  t.same(parseSettings('\uFEFFexport LOG_LEVEL=debug\r\n').settings, { LOG_LEVEL: 'debug' })
  t.match(parseSettings('LOG_LEVEL: debug\n  "FORGE_TOOLS": "x",').faults, [
    /line 1: it must be NAME=value, with = in place of the colon/,
    /line 2: it must be NAME=value, with = in place of the colon/
  ])
})

t.test('a file that may have lost its text is refused at the start if empty, else told of', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const FORGE_SETTINGS_PATH = join(folder, 'settings')
  const load = async (text: string | Buffer) => {
    await writeFile(FORGE_SETTINGS_PATH, text)
    return loadSettings({ FORGE_SETTINGS_PATH, FORGE_READ_ONLY_MODE: 'true' })
  }
  for (const text of ['', ' \n\n'])
    await t.rejects(load(text), {
      name: 'ConfigError',
      problems: [
        `FORGE_SETTINGS_PATH: ${FORGE_SETTINGS_PATH} is empty: a line that begins with # says that nothing is to be set.`
      ]
    })
  t.match(await load('FORGE_ALLOWED_PROJECT_IDS=group/a'), {
    config: { FORGE_ALLOWED_PROJECT_IDS: 'group/a' },
    notes: [/^FORGE_SETTINGS_PATH: the last line of .* has no line break, so the file may be cut short\.$/]
  })
  for (const text of ['# nothing\n', 'LOG_LEVEL=info\r\n', 'LOG_LEVEL=info\r'])
    t.same((await load(text)).notes, [])
})

t.test('a quotation mark without its other one is a fault: a part of the value may be missing', async t => {
  for (const value of ['"^delete_|^merg', "'^delete_", '"', `"^delete_'`])
    t.same(parseSettings(`LOG_LEVEL=info\nFORGE_DENIED_TOOLS_REGEX=${value}\n`), {
      settings: { LOG_LEVEL: 'info' },
      faults: [
        'FORGE_SETTINGS_PATH, line 2: FORGE_DENIED_TOOLS_REGEX begins with a quotation mark and does not end with it.'
      ]
    })
  t.same(parseSettings('FORGE_TOOLS=""\n').settings, { FORGE_TOOLS: '' })
})

t.test('lines may end as on any system', async t => {
  for (const end of ['\n', '\r\n', '\r'])
    t.same(parseSettings(['# policy', 'FORGE_READ_ONLY_MODE=true', 'LOG_LEVEL=', ''].join(end)), {
      settings: { FORGE_READ_ONLY_MODE: 'true', LOG_LEVEL: '' },
      faults: []
    })
})

t.test('a file in UTF-16 is told how to be saved', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  for (const text of ['\uFEFFLOG_LEVEL=info\r\n', 'LOG_LEVEL=info\r\n'])
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      await writeFile(path, bytes)
      await t.rejects(loadSettings({ FORGE_SETTINGS_PATH: path, HTTP_PROXY_FILE: path }), {
        name: 'ConfigError',
        problems: [
          `FORGE_SETTINGS_PATH: ${path} cannot be read (it looks like UTF-16: save it as UTF-8).`,
          /^HTTP_PROXY_FILE.* cannot be read \(it looks like UTF-16: save it as UTF-8\)\.$/
        ]
      })
    }
  await writeFile(path, '\uFEFFLOG_LEVEL=debug\n')
  t.match(await loadSettings({ FORGE_SETTINGS_PATH: path }), { config: { LOG_LEVEL: 'debug' } })
})

t.test(
  'the file wins, its values are checked like all others, and one that is not there is told',
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'settings-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const FORGE_SETTINGS_PATH = join(folder, 'settings')
    const given = { FORGE_SETTINGS_PATH, LOG_LEVEL: 'warn', FORGE_TOOLSETS: 'ci' }
    await t.rejects(loadSettings(given), {
      name: 'ConfigError',
      problems: [`FORGE_SETTINGS_PATH: ${FORGE_SETTINGS_PATH} cannot be read (ENOENT).`]
    })
    await writeFile(FORGE_SETTINGS_PATH, 'LOG_LEVEL=debug\nFORGE_TOOLSETS=\n')
    t.match((await loadSettings(given)).config, { LOG_LEVEL: 'debug', FORGE_TOOLSETS: '' })
    await writeFile(
      FORGE_SETTINGS_PATH,
      'LOG_LEVEL=loud\nFORGE_DENIED_TOOLS_REGEX=(\nFORGE_ALLOWED_PROJECT_IDS=,\n'
    )
    await t.rejects(loadSettings(given), {
      name: 'ConfigError',
      problems: [
        /^FORGE_SETTINGS_PATH: LOG_LEVEL must be one of/,
        /^FORGE_SETTINGS_PATH: FORGE_ALLOWED_PROJECT_IDS must list/,
        /^FORGE_SETTINGS_PATH: FORGE_DENIED_TOOLS_REGEX must be a regular expression, not "\(" \(Unterminated group\)\.$/
      ]
    })
    await writeFile(FORGE_SETTINGS_PATH, 'x'.repeat(65_537))
    await t.rejects(loadSettings(given), { name: 'ConfigError', problems: [/more than 65536 bytes/] })
    for (const [path, says] of [
      ['/dev/zero', /cannot be read \(a pipe or a device\)/],
      [folder, /cannot be read \(a folder\)/]
    ] as const)
      await t.rejects(loadSettings({ FORGE_SETTINGS_PATH: path }), { name: 'ConfigError', problems: [says] })
  }
)

t.test('a value with bytes that are no UTF-8 is refused, of a setting and of a secret', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  const says = (name: string) => `${name} has bytes that are no UTF-8: save the file that sets it as UTF-8.`
  await writeFile(path, Buffer.from('FORGE_DENIED_TOOLS_REGEX=^delete_\u00a0\n', 'latin1'))
  await t.rejects(loadSettings({ FORGE_SETTINGS_PATH: path }), {
    name: 'ConfigError',
    problems: [says('FORGE_DENIED_TOOLS_REGEX')]
  })
  await writeFile(path, Buffer.from('https://us\u00e9r@proxy.example', 'latin1'))
  await t.rejects(loadSettings({ HTTPS_PROXY_FILE: path }), {
    name: 'ConfigError',
    problems: [says('HTTPS_PROXY')]
  })
})
