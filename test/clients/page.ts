import type { Expected } from './expected.ts'
import { type Line, nameOf, type Result } from './judge.ts'
import { connectsAnew, goesOnByItself, type ScenarioName, sessionScenarios } from './scenarios.ts'
import { type FormName, forms } from './servers.ts'

/** What does not work when a scenario fails. */
const deeds: Readonly<Record<ScenarioName, string>> = {
  list: 'listing',
  call: 'calling',
  'tool error': 'errors of tools',
  refused: 'refusals',
  activate: 'switching toolsets on',
  cancel: 'cancelling',
  restart: 'losing its session',
  ended: 'losing its session',
  login: 'logging in',
  renew: 'renewing its login',
  leave: 'ending its session after renewing its login'
}

const columns: Readonly<Record<string, readonly FormName[]>> = {
  'In memory': ['memory'],
  Stateless: ['stateless'],
  'Ids kept': ['kept'],
  Login: ['oauth memory', 'oauth stateless', 'oauth kept']
}

/** The page of the documentation that a whole run prints. */
export function print(lines: readonly Line[], expected: readonly Expected[]): string {
  const names = new Set(lines.map(nameOf))
  const heads = ['Client', 'Speaks', ...Object.keys(columns), 'When its session is lost']
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Clients',
    '',
    'What others’ clients do with this service: each lists, calls, fails, is refused, switches a toolset on, cancels,',
    'loses its session (a restart with another secret, a DELETE) and logs in, where it can, against the built service',
    'in front of the sandbox forge. `npm run build && npm run test:clients` prints this page.',
    '',
    row(heads),
    row(heads.map(() => '---')),
    ...lines.map(line =>
      row([
        nameOf(line),
        line.revisions.join(', '),
        ...Object.values(columns).map(forms => cell(line.results, forms)),
        lost(line.results)
      ])
    ),
    '',
    'In brackets stands what the client is told about the revision to speak; without, it is not told anything. Its',
    'sessions are kept in memory, or sealed into their ids (*stateless*), which change with each answer or not (*ids',
    'kept*: `OAUTH_STATELESS_SID_REUSE_SECONDS`); it brings a token, or logs in and renews its token in each of these.',
    'A client that needs a *new connection* says that its session is gone and works again once it is connected anew;',
    'one that *goes on* needs nothing.',
    '',
    'The Python SDK v2, and what is built on it, reads at most 1 MiB as one event of a stream (`max_sse_event_size`).',
    'Images of results stay below it, and texts unless `FORGE_MAX_RESULT_CHARS` is raised.',
    '',
    '## What does not work, and why',
    '',
    ...expected
      .filter(({ clients }) => clients.some(name => names.has(name)))
      .map(({ clients, forms: where, scenarios, reason }) => {
        const places = where.map(form => forms[form].title.toLowerCase()).join('; ')
        const isAll = sessionScenarios.every(name => scenarios.includes(name))
        return `- **${clients.join(', ')}** (${places}): ${isAll ? 'everything' : deedsOf(scenarios)}. ${reason}`
      }),
    '',
    '## What was not tried',
    '',
    ...notTried(lines),
    ''
  ].join('\n')
}

const deedsOf = (scenarios: readonly ScenarioName[]): string =>
  [...new Set(scenarios.map(name => deeds[name]))].join(', ')

/** As it stands among the forms of a login. */
const wordOf = (form: FormName): string => forms[form].title.toLowerCase().replace('login, ', '')

function cell(results: readonly Result[], of: readonly FormName[]): string {
  const tried = results.filter(({ form, cannot }) => of.includes(form) && cannot === undefined)
  const failed = tried.filter(({ failure }) => failure !== undefined)
  if (failed.length === 0) return 'works'
  if (failed.length === tried.length) return 'does not work'
  const isNowhere = (where: FormName) => {
    const there = tried.filter(({ form }) => form === where)
    return there.length > 0 && there.every(result => failed.includes(result))
  }
  const nowhere = of.length > 1 ? of.filter(isNowhere) : []
  const elsewhere = failed.filter(({ form }) => !nowhere.includes(form)).map(({ scenario }) => scenario)
  return `all but ${[...nowhere.map(wordOf), ...(elsewhere.length > 0 ? [deedsOf(elsewhere)] : [])].join(', ')}`
}

function lost(results: readonly Result[]): string {
  const of = (form: FormName) =>
    results.filter(result => result.form === form && result.note !== undefined).map(({ note }) => note)
  const worst = (notes: readonly (string | undefined)[]) =>
    notes.includes(connectsAnew) ? connectsAnew : goesOnByItself
  const [memory, stateless] = [of('memory'), of('stateless')]
  if (stateless.length === 0 || worst(memory) === worst(stateless)) return worst(memory)
  return `${worst(memory)}; stateless: ${worst(stateless)}`
}

function notTried(lines: readonly Line[]): string[] {
  const reasons = new Map<string, { names: Set<string>; scenarios: Set<ScenarioName> }>()
  for (const { name, results } of lines)
    for (const { scenario, cannot } of results) {
      if (cannot === undefined) continue
      const entry = reasons.get(cannot) ?? { names: new Set(), scenarios: new Set() }
      reasons.set(cannot, entry)
      entry.names.add(name)
      entry.scenarios.add(scenario)
    }
  return [...reasons].map(
    ([why, { names, scenarios }]) => `- **${[...names].join(', ')}**: ${deedsOf([...scenarios])}. ${why}`
  )
}
