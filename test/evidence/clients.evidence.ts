import t from 'tap'
import { operations } from '../forge/contract.ts'
import { type Forge, startForge } from '../forge/index.ts'
import { Unavailable } from '../support/program.ts'
import { habits, needsAdvancedSearch } from './differences.ts'
import type { ClientSurface } from './support/client-go.ts'
import type { Driver } from './support/driver.ts'
import { bareDriver, clientGoDriver, gitbeakerDriver, pythonDriver } from './support/drivers.ts'
import { exercise, type Tried } from './support/exercise.ts'
import { named } from './support/identities.ts'
import { enter } from './support/ledger.ts'

/* The sandbox forge under clients that others wrote: what they cannot read, or it cannot take, is its fault. */

const title = '3 Clients of the sandbox forge'

/** Everything the contract has, done once by one client on a forge of its own. */
async function round(start: (forge: Forge) => Driver | Promise<Driver>) {
  const forge = await startForge({ sample: true })
  try {
    const driver = await start(forge)
    const tried = await exercise(forge, driver)
    await driver.close()
    return { driver, tried, violations: [...new Set(forge.violations)] }
  } finally {
    await forge.close()
  }
}

const bare = await round(bareDriver)
const done = new Set(
  bare.tried.flatMap(({ operation, outcome }) => (outcome === undefined ? [] : [operation]))
)
const nowhere = operations.filter(operation => !done.has(operation)).map(({ operation }) => operation)
const possible = new Set(bare.tried.filter(({ outcome }) => outcome?.error === undefined).map(nameOf))

t.test('the contract can be worked through at all', async t => {
  t.same(bare.violations, [], 'and what is sent keeps to it')
  const refused = bare.tried.flatMap(({ operation, outcome }) =>
    outcome?.error === undefined ? [] : [`${operation.operation} is refused: ${outcome.status}`]
  )
  enter('clients', {
    title: `${title}: none`,
    source: 'plain requests',
    confirmed: { 'operations done': possible.size },
    differences: [
      ...refused,
      ...(nowhere.length > 0 ? [`nothing was found to try these on: ${nowhere.join(', ')}`] : [])
    ]
  })
  t.ok(possible.size > 100, `${possible.size} operations`)
})

for (const [name, start] of [
  ['client-go', clientGoDriver],
  ['python-gitlab', pythonDriver],
  ['@gitbeaker/rest', gitbeakerDriver]
] as const)
  t.test(name, async t => {
    const worked = await round(start as (forge: Forge) => Promise<Driver>).catch(error => {
      if (error instanceof Unavailable) return error.message
      throw error
    })
    if (typeof worked === 'string') {
      enter(`clients-${name.replace(/\W/g, '')}`, {
        title: `${title}: ${name}`,
        source: name,
        skipped: worked,
        confirmed: {}
      })
      return t.comment(`skipped: ${worked}`)
    }
    const { driver, tried, violations } = worked
    const confirmed = { 'operations done': 0, 'ids, shas and states read': 0 }
    const refused: string[] = []
    for (const what of tried) {
      const { outcome, sent, operation } = what
      if (outcome === undefined || outcome.unknown) continue
      const { error, status, value } = outcome
      if (error === undefined) confirmed['operations done']++
      else if (status === undefined) t.fail(`${nameOf(what)} is read: ${error}`)
      else if (operation.method === 'GET' && !needsAdvancedSearch.test(String(error)))
        t.fail(`${nameOf(what)} is answered: ${status} ${error}`)
      else if (possible.has(nameOf(what))) refused.push(`${nameOf(what)} (${status})`)
      if (sent === undefined || value === undefined) continue
      const read = new Set([...named(value)].filter(isOwn).map(([, each]) => each))
      const lost = [...named(sent)].filter(each => isOwn(each) && !read.has(each[1]))
      t.same(lost, [], `${operation.operation}: what names its records is read as it was sent`)
      confirmed['ids, shas and states read'] += read.size
    }
    const differences: string[] = []
    for (const [habit, pattern] of Object.entries(habits)) {
      const where = violations
        .filter(sentence => pattern.test(sentence))
        .map(sentence => sentence.split(':')[0])
      if (where.length > 0) differences.push(`${habit}: ${[...new Set(where)].join(', ')}`)
    }
    const other = violations.filter(
      sentence => !Object.values(habits).some(pattern => pattern.test(sentence))
    )
    if (other.length > 0) differences.push(`sends what the contract does not have: ${other.join('; ')}`)
    if (refused.length > 0) differences.push(`refused, though plain requests are not: ${refused.join(', ')}`)
    if ('surface' in driver)
      differences.push(...unanswered((driver as { surface: ClientSurface }).surface, tried))
    enter(`clients-${name.replace(/\W/g, '')}`, {
      title: `${title}: ${name}`,
      source: driver.name,
      confirmed,
      differences
    })
  })

function nameOf({ operation }: Tried): string {
  return operation.operation
}

/** Of the record itself or of each record of a list, not of what stands in them. */
function isOwn([place]: readonly [string, string]): boolean {
  return place.lastIndexOf('.') === 0
}

/** What the client has a field for, and the sandbox leaves out of its record. */
function unanswered({ operations, types }: ClientSurface, tried: readonly Tried[]): string[] {
  const missing = new Map<string, Set<string>>()
  for (const { operation, sent } of tried) {
    const [record] = [sent].flat()
    if (typeof record !== 'object' || record === null) continue
    const key = `${operation.method} ${operation.path.replace('/api/v4', '').replace(/\{\w+\}/g, '{}')}`
    const answer = operations
      .find(each => `${each.method} ${each.path}` === key)
      ?.answer?.replace(/^\[\]/, '')
    const fields = Object.keys(types[answer ?? '']?.fields ?? {}).filter(field => !(field in record))
    if (answer !== undefined && fields.length > 0)
      missing.set(answer, new Set([...(missing.get(answer) ?? []), ...fields]))
  }
  return [...missing].map(
    ([type, fields]) => `fields of its ${type} that the sandbox does not answer: ${[...fields].join(', ')}`
  )
}
