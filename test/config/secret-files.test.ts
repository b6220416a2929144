import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import fs, { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import type { ConfigError } from '../../src/config/config-error.ts'
import type { Settings } from '../../src/config/load.ts'
import { type Config, factsOf, type Variable, variables } from '../../src/config/schema.ts'
import { fileOf, loadSettings, secrets } from '../../src/config/secret-files.ts'
import { SettingsWatch } from '../../src/config/settings-watch.ts'
import { readSmallFile } from '../../src/config/small-file.ts'
import { selfSigned } from '../support/certificates.ts'
import { secretOf } from '../support/sealing.ts'

const folder = async (t: Test) => {
  const path = await mkdtemp(join(tmpdir(), 'secrets-'))
  t.teardown(() => rm(path, { recursive: true }))
  return path
}
const problems = async (given: Settings): Promise<readonly string[]> =>
  loadSettings(given).then(
    () => [],
    (error: ConfigError) => error.problems
  )

/** The files of a sealing key and of the one before it, and the settings that name them. */
async function keyFiles(t: Test) {
  const path = await folder(t)
  const [current, previous] = [join(path, 'current'), join(path, 'previous')]
  const given = {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET_FILE: current,
    OAUTH_STATELESS_SECRET_PREVIOUS_FILE: previous
  }
  return { current, previous, given }
}

/**
 * A watch of settings in files, and what it tells in one look, which takes no time.
 * @param taken what is told of settings that have changed
 * @param between what happens between the look and the next, so many milliseconds after it began
 */
async function watching(
  given: Settings,
  taken: (config: Config, changed: readonly Variable[]) => unknown,
  between: (ms: number) => unknown = () => {}
) {
  const news: unknown[] = []
  const { settings } = await loadSettings(given)
  let [now, begun] = [1e6, 0]
  const watch = new SettingsWatch(
    given,
    settings,
    undefined,
    {
      onChange: (config, changed) => news.push(taken(config, changed)),
      onMended: () => news.push('mended'),
      onTrouble: problems => news.push(problems)
    },
    () => now,
    async ms => {
      now += ms
      await between(now - begun)
    }
  )
  /** @param afterMs how long after the last one @param again whether it is asked for */
  const looked = async (afterMs = 2_000, again = false) => {
    now += afterMs
    begun = now
    await watch.look(again)
    return news.splice(0)
  }
  return { watch, looked }
}

t.test('every secret can be a file, and nothing else can', async t => {
  t.same(
    variables.filter(variable => variable.endsWith('_FILE')),
    secrets.map(fileOf)
  )
  t.ok(secrets.every(secret => factsOf(secret).writeOnly))
})

t.test('a secret is read from its file, without the newline at its end', async t => {
  const path = join(await folder(t), 'proxy')
  await writeFile(path, 'http://ada:pass@proxy.example:3128\n')
  const { config, settings } = await loadSettings({ HTTPS_PROXY_FILE: path })
  t.equal(config.HTTPS_PROXY, 'http://ada:pass@proxy.example:3128')
  t.equal(settings.HTTPS_PROXY, config.HTTPS_PROXY)
})

t.test('a file that is empty, or missing in a folder that is there, is a secret that is not set', async t => {
  const path = await folder(t)
  await writeFile(join(path, 'empty'), '\n')
  for (const name of ['empty', 'missing'])
    t.equal((await loadSettings({ HTTP_PROXY_FILE: join(path, name) })).config.HTTP_PROXY, '', name)
  const HTTP_PROXY = 'http://proxy.example:3128'
  t.equal(
    (await loadSettings({ HTTP_PROXY, HTTP_PROXY_FILE: join(path, 'missing') })).config.HTTP_PROXY,
    HTTP_PROXY
  )
})

t.test('a secret that is missed is told with its file, which is not there', async t => {
  const path = join(await folder(t), 'missing')
  t.match(
    await problems({
      STREAMABLE_HTTP: 'false',
      FORGE_PERSONAL_ACCESS_TOKEN_FILE: path,
      HTTP_PROXY_FILE: path
    }),
    [
      /needs FORGE_PERSONAL_ACCESS_TOKEN\.$/,
      /^FORGE_PERSONAL_ACCESS_TOKEN_FILE names a file that is not there, or an empty one/
    ]
  )
  const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET_FILE: path }
  t.match((await problems(stateless)).join('\n'), /\nOAUTH_STATELESS_SECRET_FILE names a file/)
})

t.test('a certificate file of no use is told of together with all else that is wrong', async t => {
  const FORGE_CA_CERT_PATH = join(await folder(t), 'none.pem')
  t.same(await problems({ FORGE_CA_CERT_PATH, HTTP_PROXY_FILE: '/no/such/file', PORT: 'x' }), [
    'HTTP_PROXY_FILE: /no/such/file cannot be read (ENOENT).',
    `FORGE_CA_CERT_PATH: ${FORGE_CA_CERT_PATH} cannot be read (ENOENT).`,
    'PORT must be a whole number from 0 to 65535, not "x".'
  ])
})

t.test('a certificate file that has gone since the start keeps no secret from changing', async t => {
  const { path: FORGE_CA_CERT_PATH } = selfSigned(t)
  const { current, given } = await keyFiles(t)
  await writeFile(current, secretOf('a'))
  const { looked } = await watching({ ...given, FORGE_CA_CERT_PATH }, (_config, changed) => changed)
  await rm(FORGE_CA_CERT_PATH)
  await writeFile(current, secretOf('b'))
  t.same(await looked(), [['OAUTH_STATELESS_SECRET']])
})

t.test('nor does a folder of downloads that has gone', async t => {
  const FORGE_DOWNLOAD_DIR = join(await folder(t), 'archives')
  await mkdir(FORGE_DOWNLOAD_DIR)
  const { current, given } = await keyFiles(t)
  await writeFile(current, secretOf('a'))
  const { looked } = await watching({ ...given, FORGE_DOWNLOAD_DIR }, (_config, changed) => changed)
  await rm(FORGE_DOWNLOAD_DIR, { recursive: true })
  await writeFile(current, secretOf('b'))
  t.same(await looked(), [['OAUTH_STATELESS_SECRET']])
})

t.test('what cannot be used is said, and what is in a file is not', async t => {
  const path = await folder(t)
  await writeFile(join(path, 'short'), 'tooshort')
  await writeFile(join(path, 'long'), 'x'.repeat(65_537))
  t.same(await problems({ HTTP_PROXY_FILE: '%d/key' }), ['HTTP_PROXY_FILE: %d/key cannot be read (ENOENT).'])
  for (const secret of ['http://ada:sesame@proxy.example:3128', '/x7Gh2kL9pQw4/Zr8T+'])
    t.same(await problems({ HTTP_PROXY_FILE: secret }), ['HTTP_PROXY_FILE cannot be read (ENOENT).'])
  t.match(await problems({ HTTP_PROXY_FILE: path }), [/^HTTP_PROXY_FILE.* cannot be read \(a folder\)\.$/])
  t.match(await problems({ HTTP_PROXY_FILE: join(path, 'long') }), [
    /^HTTP_PROXY_FILE.* cannot be read \(more than 65536 bytes\)\.$/
  ])
  execFileSync('mkfifo', [join(path, 'pipe')])
  for (const endless of [join(path, 'pipe'), '/dev/zero'])
    t.match(await problems({ HTTP_PROXY_FILE: endless }), [
      /^HTTP_PROXY_FILE.* cannot be read \(a pipe or a device\)\.$/
    ])
  t.same(await problems({ HTTP_PROXY: 'http://a.example', HTTP_PROXY_FILE: join(path, 'short') }), [
    'HTTP_PROXY and HTTP_PROXY_FILE exclude each other: unset one of them.'
  ])
  const said = await problems({
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET_FILE: join(path, 'short')
  })
  t.match(said, [
    /^OAUTH_STATELESS_SECRET must be base64url of at least 32/,
    'OAUTH_STATELESS_SECRET is what the file of OAUTH_STATELESS_SECRET_FILE holds.'
  ])
  t.equal(said.length, 2)
  t.notMatch(said.join(), 'tooshort')
})

t.test('a file that a pipe replaces once it was looked at is read all the same', async t => {
  const path = await folder(t)
  const [secret, pipe] = [join(path, 'secret'), join(path, 'pipe')]
  await writeFile(secret, 'http://proxy.example:3128\n')
  execFileSync('mkfifo', [pipe])
  const swapped = (['stat', 'open'] as const).map(name => {
    const real = fs[name] as (...given: unknown[]) => Promise<unknown>
    return mock.method(fs, name, async (...given: unknown[]) => {
      const result = await real(...given)
      if (given[0] === secret) await rename(pipe, secret).catch(() => {})
      return result
    })
  })
  syncBuiltinESMExports()
  t.teardown(() => {
    for (const { mock } of swapped) mock.restore()
    syncBuiltinESMExports()
  })
  t.equal(await readSmallFile(secret), 'http://proxy.example:3128\n')
  await t.rejects(readSmallFile(secret), { message: 'a pipe or a device' })
})

t.test(
  'a watch tells of good changes once, and keeps the old secrets where the new ones are no good',
  async t => {
    const { current, previous, given } = await keyFiles(t)
    await writeFile(current, secretOf('one'))
    const { watch, looked } = await watching(
      given,
      ({ OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS }, changed) => [
        OAUTH_STATELESS_SECRET,
        OAUTH_STATELESS_SECRET_PREVIOUS,
        ...changed
      ]
    )
    t.same(await looked(), [], 'nothing new')
    await writeFile(previous, secretOf('two'))
    t.same(await looked(), [[secretOf('one'), secretOf('two'), 'OAUTH_STATELESS_SECRET_PREVIOUS']])
    t.equal(watch.isRefused, false)
    await writeFile(current, 'cut')
    t.match(await looked(), [[/^OAUTH_STATELESS_SECRET must be base64url/]], 'told once')
    t.equal(watch.isRefused, true)
    await writeFile(current, secretOf('one'))
    t.same(await looked(), ['mended'], 'as they were')
    t.equal(watch.isRefused, false)
    await writeFile(current, secretOf('two'))
    t.match(await looked(), [[/must differ from OAUTH_STATELESS_SECRET/]])
    await writeFile(previous, secretOf('one'))
    const both: Variable[] = ['OAUTH_STATELESS_SECRET', 'OAUTH_STATELESS_SECRET_PREVIOUS']
    t.same(await looked(), [[secretOf('two'), secretOf('one'), ...both]])
    await rm(current)
    t.equal((await looked()).length, 1, 'a secret that is gone is trouble')
    await writeFile(`${current}.new`, secretOf('two'))
    await rename(`${current}.new`, current)
    await rm(previous)
    t.same(await looked(), [[secretOf('two'), '', 'OAUTH_STATELESS_SECRET_PREVIOUS']])
  }
)

/** A file of settings with a limit, which may be written in part. */
async function limitFile(t: Test) {
  const FORGE_SETTINGS_PATH = join(await folder(t), 'settings')
  const lines = ['LOG_LEVEL=warn\n', 'FORGE_ALLOWED_PROJECT_IDS=1\n', 'FORGE_READ_ONLY_MODE=true\n']
  const write = (count: number) => writeFile(FORGE_SETTINGS_PATH, lines.slice(0, count).join(''))
  await write(3)
  return { given: { FORGE_SETTINGS_PATH }, write }
}

const changedNames = (_: Config, changed: readonly Variable[]) => changed
const limits: Variable[] = ['FORGE_READ_ONLY_MODE', 'FORGE_ALLOWED_PROJECT_IDS']

t.test('a limit that a file lacks counts until it is missed for two seconds', async t => {
  const { given, write } = await limitFile(t)
  let writtenMs = 1_700
  const { looked } = await watching(given, changedNames, ms => (ms > writtenMs ? write(3) : undefined))
  await write(1)
  t.same(await looked(), [], 'written line by line')
  writtenMs = 2_000
  await write(1)
  t.same(await looked(10), [], 'what was missed before it was written counts no more')
  writtenMs = 2_100
  await write(1)
  t.same(await looked(), [limits, limits], 'and what was written after all is soon in use again')
  await write(1)
  writtenMs = Infinity
  t.same(await looked(), [limits])
})

t.test('one that a look misses that is asked for is gone after 0.3 s', async t => {
  const { given, write } = await limitFile(t)
  let writtenMs = 299
  const { looked } = await watching(given, changedNames, ms => (ms > writtenMs ? write(3) : undefined))
  await write(1)
  t.same(await looked(2_000, true), [])
  await write(1)
  writtenMs = 300
  t.same(await looked(2_000, true), [limits, limits])
})

t.test('one that is asked for while another goes on takes nothing from what that has missed', async t => {
  const { given, write } = await limitFile(t)
  const asked: Promise<void>[] = []
  const { watch, looked } = await watching(given, changedNames, ms => {
    if (ms === 1_200) asked.push(watch.look(true))
    return ms === 1_500 ? write(3) : undefined
  })
  await write(1)
  t.same(await looked(), [])
  t.equal(asked.length, 1)
})

t.test('a look that is asked for once the files are read for another reads them again', async t => {
  const { given, write } = await limitFile(t)
  await write(2)
  const { watch, looked } = await watching(given, (_, changed) => {
    writeFileSync(given.FORGE_SETTINGS_PATH, 'LOG_LEVEL=info\nFORGE_ALLOWED_PROJECT_IDS=1\n')
    if (!changed.includes('LOG_LEVEL')) void watch.look(true)
    return changed
  })
  await writeFile(given.FORGE_SETTINGS_PATH, 'FORGE_ALLOWED_PROJECT_IDS=2\nLOG_LEVEL=warn\n')
  t.same(await looked(), [['FORGE_ALLOWED_PROJECT_IDS'], ['LOG_LEVEL', 'FORGE_ALLOWED_PROJECT_IDS']])
})

t.test(
  'what changes while an older problem stands is told as not taken, and so is its going back',
  async t => {
    const path = await folder(t)
    const [FORGE_SETTINGS_PATH, current] = [join(path, 'settings'), join(path, 'current')]
    const given = { FORGE_SETTINGS_PATH, OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET_FILE: current }
    const policy = (pattern: string) =>
      writeFile(FORGE_SETTINGS_PATH, `FORGE_DENIED_TOOLS_REGEX=${pattern}\n`)
    await policy('^delete_')
    await writeFile(current, secretOf('one'))
    const { settings } = await loadSettings(given)
    const told: (readonly Variable[])[] = []
    const watch = new SettingsWatch(given, settings, undefined, {
      onChange: () => t.fail('nothing is taken'),
      onMended: () => t.fail('nothing is mended'),
      onTrouble: (_, notTaken) => told.push(notTaken)
    })
    const looked = async () => {
      await watch.look()
      await watch.look()
      return told.splice(0)
    }
    await writeFile(current, 'cut')
    t.same(await looked(), [['OAUTH_STATELESS_SECRET']])
    const both = ['OAUTH_STATELESS_SECRET', 'FORGE_DENIED_TOOLS_REGEX']
    await policy('^delete_|^merge_')
    t.same(await looked(), [both])
    await policy('^delete_|^push_')
    t.same(await looked(), [both], 'another change of the same')
    await policy('^delete_')
    t.same(await looked(), [['OAUTH_STATELESS_SECRET']])
  }
)

t.test('a previous secret that is missed while its file is written in place stays in use', async t => {
  const { current, previous, given } = await keyFiles(t)
  await writeFile(current, secretOf('old'))
  await writeFile(previous, secretOf('new'))
  let writtenMs = 1_500
  const { looked } = await watching(
    given,
    ({ OAUTH_STATELESS_SECRET, OAUTH_STATELESS_SECRET_PREVIOUS }) => [
      OAUTH_STATELESS_SECRET,
      OAUTH_STATELESS_SECRET_PREVIOUS
    ],
    ms => (ms === writtenMs ? writeFile(previous, secretOf('old')) : undefined)
  )
  await writeFile(current, secretOf('new'))
  for (const isAsked of [false, true]) {
    await writeFile(previous, '')
    t.same(await looked(10, isAsked), isAsked ? [] : [[secretOf('new'), secretOf('old')]])
  }
  writtenMs = Infinity
  await writeFile(previous, '')
  t.same(await looked(), [[secretOf('new'), '']], 'what is missed for two seconds is gone')
})

t.test('a secret that is written in pieces counts once two looks have read the same', async t => {
  const { current, previous, given } = await keyFiles(t)
  const [first, half] = [secretOf('old'), secretOf('new').slice(0, 44)]
  await writeFile(current, first)
  const { looked } = await watching(
    given,
    (config, changed) => [config.OAUTH_STATELESS_SECRET, ...changed],
    ms => (ms === 300 ? writeFile(current, secretOf('new')) : undefined)
  )
  await writeFile(current, half)
  await writeFile(previous, first)
  const both: Variable[] = ['OAUTH_STATELESS_SECRET', 'OAUTH_STATELESS_SECRET_PREVIOUS']
  t.same(await looked(2_000, true), [[secretOf('new'), ...both]])
})

t.test(
  'an optional secret that vanishes from its file while the service runs is kept, and told of',
  async t => {
    const file = join(await folder(t), 'secret')
    for (const secret of ['FORGE_OAUTH_APP_SECRET', 'OAUTH_STATELESS_SECRET'] as const) {
      await writeFile(file, secretOf('one'))
      const { looked } = await watching({ [fileOf(secret)]: file }, (config, changed) => [
        config[secret],
        ...changed
      ])
      const gone = `${fileOf(secret)} names a file that is gone, or empty by now: bring it back. The value before stays in use until a restart.`
      await writeFile(file, '')
      t.same(await looked(), [[gone]])
      await rm(file)
      t.same(await looked(), [], 'it is told of once')
      await writeFile(file, secretOf('two'))
      t.same(await looked(), [[secretOf('two'), secret]])
      t.equal(
        (await loadSettings({ [fileOf(secret)]: `${file}.none` })).config[secret],
        '',
        'a start needs none'
      )
    }
  }
)

t.test('the previous key is kept while the key is gone, too: that is no end of a rotation', async t => {
  const { current, previous, given } = await keyFiles(t)
  await writeFile(current, secretOf('two'))
  await writeFile(previous, secretOf('one'))
  const { looked } = await watching(given, ({ OAUTH_STATELESS_SECRET_PREVIOUS }) => [
    OAUTH_STATELESS_SECRET_PREVIOUS
  ])
  await rm(current)
  await rm(previous)
  t.match(await looked(5_000), [
    [
      /^OAUTH_STATELESS_SECRET_FILE names a file that is gone/,
      /^OAUTH_STATELESS_SECRET_PREVIOUS_FILE .* stays/
    ]
  ])
  await writeFile(current, secretOf('two'))
  t.same(await looked(5_000), [['']], 'beside the key it is one')
})

t.test('a secret that vanishes from its file keeps no other change from being taken', async t => {
  const path = await folder(t)
  const [secret, app, policy] = ['secret', 'app', 'policy'].map(name => join(path, name)) as [
    string,
    string,
    string
  ]
  const given = {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET_FILE: secret,
    FORGE_OAUTH_APP_SECRET_FILE: app,
    FORGE_SETTINGS_PATH: policy
  }
  await writeFile(secret, secretOf('one'))
  await writeFile(app, 'first')
  await writeFile(policy, '# nothing\n')
  const keyAnd = ({ OAUTH_STATELESS_SECRET }: Config, changed: readonly Variable[]) => [
    OAUTH_STATELESS_SECRET,
    ...changed
  ]
  const { watch, looked: told } = await watching(given, keyAnd)
  const looked = async () => {
    const news = await told()
    return [watch.isRefused, ...news]
  }
  const gone = (name: string) =>
    `${name}_FILE names a file that is gone, or empty by now: bring it back. The value before stays in use until a restart.`
  await rm(secret)
  t.same(await looked(), [true, [gone('OAUTH_STATELESS_SECRET')]], 'it is the one thing that is said')
  await writeFile(policy, 'FORGE_READ_ONLY_MODE=true\n')
  t.same(await looked(), [true, [secretOf('one'), 'FORGE_READ_ONLY_MODE']])
  await rm(app)
  t.same(await looked(), [true, [gone('FORGE_OAUTH_APP_SECRET'), gone('OAUTH_STATELESS_SECRET')].toSorted()])
  await writeFile(policy, 'FORGE_READ_ONLY_MODE=maybe\n')
  t.match(await looked(), [true, [/./, /./, /^FORGE_SETTINGS_PATH: FORGE_READ_ONLY_MODE must be/]])
  await writeFile(policy, 'FORGE_READ_ONLY_MODE=true\n')
  await writeFile(app, 'first')
  t.same(await looked(), [true, [gone('OAUTH_STATELESS_SECRET')]], 'what is left is said')
  await writeFile(secret, secretOf('one'))
  t.same(await looked(), [false, 'mended'])
})
