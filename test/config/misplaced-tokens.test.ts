import t from 'tap'
import { toolNames } from '../../src/app.ts'
import { listenFault } from '../../src/config/listen-fault.ts'
import { gatherSettings } from '../../src/config/load.ts'
import { factsOf, type Variable, variables } from '../../src/config/schema.ts'
import { loadSettings } from '../../src/config/secret-files.ts'
import { changeable, parseSettings, valuesOf } from '../../src/config/settings-file.ts'
import { examine } from '../../src/doctor/doctor.ts'
import { problemsOf } from '../support/config.ts'

const ofForge = 'glpat-Zq3kW8vT5nB2xY7cLmRd'
const bare = '4f9a0c3be7d1826590ab3c4de5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718'

/** All that is said of settings at the start: what keeps it from serving, or what it notes and shows of them. */
async function saidOf(env: Partial<Record<Variable, string>>): Promise<string> {
  const loaded = loadSettings(gatherSettings(env, {}), { tools: toolNames })
  return loaded.then(
    ({ config, notes }) => JSON.stringify([notes, valuesOf(config, changeable)]),
    (error: Error & { problems?: string[] }) => error.problems?.join('\n') ?? error.message
  )
}

t.test('a token in whatever variable is repeated by no message of a start, nor by doctor', async t => {
  // A port at which nothing answers: doctor would ask the default forge.
  const near = { FORGE_API_URL: 'http://127.0.0.1:1', PORT: '0' }
  const stdio = { STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: 'glpat-own-own-own-own-own' }
  const repeating: string[] = []
  for (const token of [ofForge, bare])
    for (const variable of variables) {
      for (const mode of [{ FORGE_MCP_OAUTH: 'true' }, stdio])
        if ((await saidOf({ ...near, ...mode, [variable]: token })).includes(token)) repeating.push(variable)
      const { text } = await examine({ ...near, ...stdio, [variable]: token }, {}, [])
      if (text.includes(token)) repeating.push(`doctor with ${variable}`)
    }
  t.same(repeating, [])
})

t.test('a token of a forge is refused by each variable for something else, with the one for it', async t => {
  for (const variable of variables.filter(name => factsOf(name).type === 'string'))
    if (!factsOf(variable).writeOnly && factsOf(variable).enum === undefined)
      t.match(problemsOf({ [variable]: ofForge }), [
        `${variable} is a token: FORGE_PERSONAL_ACCESS_TOKEN may be meant.`
      ])
  t.match(problemsOf({ FORGE_OAUTH_APP_ID: `gloas-${bare}` }), [/FORGE_OAUTH_APP_SECRET may be meant\.$/])
  for (const [token, kind] of [
    ['gldt-own-own-own-own-own-own', 'a deploy token, for git and registries alone'],
    ['ghp_own0own0own0own0own0own0', 'a token of GitHub']
  ] as const)
    t.match(problemsOf({ FORGE_PROJECT_ID: token }), [`FORGE_PROJECT_ID is ${kind}: no variable is for it.`])
  t.same(problemsOf({ MCP_ALLOWED_HOSTS: 'global-forge.internal.example.com' }), [], 'and no host')
})

t.test('of one without a prefix it is said where what is there is refused, or of no use', async t => {
  const meant = / A token: FORGE_PERSONAL_ACCESS_TOKEN may be meant\./
  for (const variable of [
    'FORGE_API_URL',
    'MCP_SERVER_URL',
    'FORGE_TOOLS',
    'FORGE_PROJECT_ID',
    'PORT'
  ] as const)
    t.match(await saidOf({ [variable]: bare }), meant, variable)
  t.match(await saidOf({ FORGE_DENIED_TOOLS_REGEX: bare }), meant)
  t.notMatch(await saidOf({ FORGE_OAUTH_APP_ID: bare }), meant, 'which looks like this')
})

t.test('a host whose name is like a secret is told of its scheme all the same', async t => {
  t.match(problemsOf({ FORGE_API_URL: 'gitlab-production01.example' }), [
    / Its scheme is missing: write https:\/\/ before it\.$/
  ])
})

t.test('an address to listen at that may be a secret is not said again', async t => {
  const fault = listenFault(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), {
    host: bare,
    port: 3000,
    variable: 'PORT'
  }) as Error
  t.match(fault.message, /^HOST is no address of this machine/)
})

t.test('the start of a line in a file of settings that may be a secret is not said again', async t => {
  t.match(parseSettings(`${bare}=\n`).faults, [/line 1: what stands before the = is no variable/])
})

t.test('values in use are shown without what may be a secret, and paths of projects whole', async t => {
  const shown = async (projects: string) => {
    const { config } = await loadSettings({ FORGE_ALLOWED_PROJECT_IDS: projects })
    return valuesOf(config, ['FORGE_ALLOWED_PROJECT_IDS']).FORGE_ALLOWED_PROJECT_IDS
  }
  t.equal(await shown('team-42-tools/rocket-2024-app,7'), 'team-42-tools/rocket-2024-app,7')
  t.equal(await shown(`acme/rocket,${bare}`), 'acme/rocket,[redacted]')
})
