import { readFileSync } from 'node:fs'
import t from 'tap'
import { readCommandLine } from '../../src/config/argv.ts'
import { insteadOf } from '../../src/config/meant-variable.ts'
import { allMisspelt } from '../../src/config/misspelt.ts'

const flagOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`
const told = (...words: string[]) => readCommandLine(words).problems.join(' ')

/** The names in the tables of names that others use, but those in small letters, which are known flags. */
const listed = [
  ...readFileSync(new URL('../../src/config/meant-variable.ts', import.meta.url), 'utf8').matchAll(
    /^ {2}([A-Z][A-Z_]+): /gm
  )
].map(([, name]) => name!)

/** Some names, without FORGE_, that the patterns there are for. */
const matched = [
  ...['DENY_TOOLS', 'EXCLUDE_TOOLS', 'HIDDEN_TOOLS', 'TOOLS_DENYLIST', 'PROJECT_ALLOWLIST', 'ONLY_PROJECTS'],
  ...['CONFIRM_WRITES', 'REQUIRE_CONFIRMATION', 'HIDE_SECRETS', 'NO_SECRETS', 'HOST', 'SERVER', 'BASE_URL'],
  ...['INSTANCE_URL', 'API_ENDPOINT', 'READONLY', 'READ_ONLY', 'ALLOWED_GROUPS']
].map(name => `FORGE_${name}`)

t.test('a name of others means as a flag what it means as a variable', async t => {
  t.ok(listed.includes('FORGE_TOOL_POLICY_HIDDEN') && listed.includes('MCP_AUTH_TOKEN'))
  const faults: string[] = []
  for (const name of [...listed, ...matched]) {
    // A port that is no number is that of a service in Kubernetes.
    const value = name.endsWith('_MODE') ? 'readonly' : '8080'
    const [asVariable] = allMisspelt({ [name]: value }, {})
    const said =
      asVariable?.meant === undefined ? insteadOf(name) : `${flagOf(asVariable.meant)} may be meant`
    for (const words of [[`${flagOf(name)}=${value}`], [flagOf(name), value]])
      if (said === undefined || !told(...words).includes(`: ${said}`))
        faults.push(`${name}: ${said}, but ${told(...words)}`)
  }
  t.same(faults, [])
})

t.test('a flag without its beginning means the same', async t => {
  for (const [flag, meant] of [
    ['--deny-tools=^x', '--forge-denied-tools-regex'],
    ['--project-allowlist=acme/rocket', '--forge-allowed-project-ids'],
    ['--hide-secrets', '--forge-deny-secret-values']
  ] as const)
    t.match(told(flag), `: ${meant} may be meant;`, flag)
  t.match(told('--allowed-groups=acme'), ': nothing here limits callers to groups')
  for (const flag of ['--gitlab-permission-mode=modify', '--permission-mode=modify'])
    t.match(told(flag), /--forge-denied-tools-regex may be meant; .* pattern \^\(/, flag)
})

t.test('a flag that says no is told the value that turns it off, never what turns it on', async t => {
  for (const [flag, off] of [
    ['--no-dynamic-api-url', '--enable-dynamic-api-url=false'],
    ['--disable-dynamic-api-url', '--enable-dynamic-api-url=false'],
    ['--no-read-only-mode', '--forge-read-only-mode=false'],
    ['--no-readonly', '--forge-read-only-mode=false'],
    ['--no-deny-secret-value', '--forge-deny-secret-values=false'],
    ['--no-prompts', '--forge-prompts=false'],
    ['--forge-no-resources', '--forge-resources=false'],
    ['--no-streamable-htp', '--streamable-http=false'],
    ['--no-confirm', '--forge-confirm=off'],
    ['--no-log', '--log-level=silent'],
    ['--no-metrics', '--metrics-port=0']
  ] as const)
    t.match(told(flag), `Unknown flag ${flag}: ${off} may be meant;`, flag)
  for (const [flag, meant] of [
    ['--no-private-addresses', '--forge-deny-private-addresses'],
    ['--disable-private-addresses', '--forge-deny-private-addresses'],
    ['--disable-secret-values', '--forge-deny-secret-values'],
    ['--no-reject-unauthorized', '--runtime-tls-reject-unauthorized=0']
  ] as const)
    t.match(told(flag), `Unknown flag ${flag}: ${meant} may be meant;`, flag)
  for (const flag of ['--no-tls', '--disable-tls', '--no-deny-tools', '--no-allowed-hosts', '--no-port'])
    t.notMatch(told(flag), / may be meant/, `${flag}: no value turns that off`)
})
