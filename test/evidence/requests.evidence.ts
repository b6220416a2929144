import t from 'tap'
import { type Operation, operations } from '../forge/contract.ts'
import type { SentRequest } from '../support/scripted-dispatcher.ts'
import { narrower, unknownNames, unknownOperations, unseen } from './differences.ts'
import { enter } from './support/ledger.ts'
import { probe } from './support/probe.ts'
import { fieldsOf, recordOf } from './support/schema-facts.ts'
import { bareName, finder, keyOf } from './support/surface.ts'
import { rows } from './support/toolsets.ts'
import { documents, voices } from './support/voices.ts'

/* Whether others who speak to the forge know what our tools send, and what the sandbox forge takes. */

/** What to do with what nobody knows; read by whoever adds a tool. */
const remedy =
  "No client asked here knows it: name the file of the forge's source or documentation that has it in " +
  'test/evidence/documented.json, or say in differences.ts why it is so all the same.'

const { heard, absent } = await voices()
const title = '1 Requests'
const source = heard.map(({ name }) => name).join(', ')

if (absent.length > 0) enter('requests', { title, source, skipped: absent.join('; '), confirmed: {} })

t.test('others know what is sent', { skip: absent.length > 0 && absent.join('; ') }, async t => {
  const confirmed = {
    tools: 0,
    'operations sent': 0,
    'names sent': 0,
    'operations of the contract': 0,
    'fields of answers': 0
  }
  const differences: string[] = []
  const explained = new Set<string>()
  const told = new Set<string>()

  /** Who knows an operation, or a name in it. */
  const knowing = (key: string, name?: string): string[] =>
    [...heard, documents].flatMap(({ name: who, surface }) => {
      const known = surface.get(key)
      if (known === undefined || (name !== undefined && !known.names.has(name))) return []
      return [who === documents.name ? known.called[0]! : who]
    })

  /** Whether anyone knows it, or it is said why nobody does. */
  const held = (list: Record<string, string>, key: string, name?: string): boolean => {
    const who = knowing(key, name)
    const what = name === undefined ? key : `${key} ${name}`
    if (who.length === 0) explained.add(what)
    else if (!who.includes(heard[0]!.name) && !told.has(what)) {
      told.add(what)
      differences.push(`${what}: not in the official client, but in ${who.join(' and ')}`)
    }
    return who.length > 0 || what in list
  }

  const contract = new Map(operations.map(each => [keyOf(each.method, each.path), each]))
  const findOurs = finder(contract)

  const whole = await probe(rows)
  await t.test('every operation that a tool sends, and every name in it', async t => {
    const seen = new Set<string>()
    const look = (what: string, look: () => void) => {
      if (!seen.has(what)) look()
      seen.add(what)
    }
    for (const { tool, calls } of whole) {
      confirmed.tools++
      for (const request of calls.flatMap(({ requests }) => requests)) {
        if (request.path.endsWith('/graphql')) continue
        const { pathname } = urlOf(request)
        const [key = `${request.method} ${pathname}`] = findOurs(request.method, pathname) ?? []
        look(key, () => {
          confirmed['operations sent']++
          t.ok(held(unknownOperations, key), `${tool}: ${key}`, { remedy })
        })
        // A name of an operation that nobody knows says nothing more.
        if (knowing(key).length === 0) continue
        for (const name of namesOf(request))
          look(`${key} ${name}`, () => {
            confirmed['names sent']++
            t.ok(held(unknownNames, key, name), `${tool}: ${key} ${name}`, { remedy })
          })
      }
    }
  })

  await t.test('every argument is seen on the wire, or it is said why not', async t => {
    const unsent = whole.flatMap(({ tool, unsent }) => [...new Set(unsent)].map(name => `${tool}.${name}`))
    t.same(unsent.toSorted(), Object.keys(unseen).toSorted())
    for (const what of unsent) differences.push(`${what}: not seen on the wire: ${unseen[what]}`)
  })

  await t.test('every request that stands in a row, sent or not', async t => {
    for (const row of rows)
      for (const template of templatesIn(row)) {
        const key = keyOf(...(template.split(' ') as [string, string]))
        t.ok(held(unknownOperations, key), `${row.name}: ${key}`, { remedy })
      }
  })

  await t.test('every operation of the contract', async t => {
    for (const key of contract.keys()) {
      t.ok(held(unknownOperations, key), key, { remedy })
      if (knowing(key).length > 0) confirmed['operations of the contract']++
    }
  })

  const undecoded = new Map<string, Set<string>>()
  await t.test('every field of an answer that the contract has', t => {
    const decoded = new Map<string, Set<string>>()
    const answers = [...contract].flatMap(([key, { operation, responses }]) => {
      const { schema = operation, key_fields: fields = [] } = answerOf(responses) ?? {}
      const known = heard[0]!.surface.get(key)?.answer ?? new Set()
      const record = recordOf(key)
      const names = [...known, ...(record === undefined ? [] : fieldsOf(record))]
      decoded.set(schema, new Set([...(decoded.get(schema) ?? []), ...names]))
      // A file, and what the official client does not have at all, is decoded by nobody.
      return known.size === 0 ? [] : [{ schema, fields }]
    })
    for (const { schema, fields } of answers)
      for (const field of fields)
        if (decoded.get(schema)!.has(field)) confirmed['fields of answers']++
        else undecoded.set(schema, (undecoded.get(schema) ?? new Set()).add(field))
    t.ok(confirmed['fields of answers'] > 4000, `${confirmed['fields of answers']} are decoded by others`)
    t.end()
  })

  const only: string[] = []
  await t.test('no value is refused by the contract that the official client sends', async t => {
    for (const [key, { query, body, operation }] of contract)
      for (const [name, spec] of Object.entries({ ...query, ...body })) {
        const theirs = heard[0]!.surface.get(key)?.enums.get(name)
        const ours = (spec.enum ?? spec.items?.enum) as string[] | undefined
        if (theirs === undefined || ours === undefined || `${operation}.${name}` in narrower) continue
        t.same(
          [...theirs].filter(value => !ours.includes(value)),
          [],
          `${operation}.${name}`
        )
        const newer = ours.filter(value => !theirs.has(value))
        if (newer.length > 0) only.push(`${operation}.${name}: ${newer.join(', ')}`)
      }
  })
  differences.push(...only.map(line => `values that the official client does not name: ${line}`))

  differences.push(...Object.entries(narrower).map(([what, why]) => `${what}: ${why}`))

  await t.test('what needs no explaining any more is not explained', async t => {
    t.same(
      Object.keys({ ...unknownOperations, ...unknownNames }).filter(what => {
        const [method, path, name] = what.split(' ')
        return knowing(`${method} ${path}`, name).length > 0
      }),
      []
    )
    for (const [key, { names }] of documents.surface) {
      const clients = heard.flatMap(({ surface }) => surface.get(key) ?? [])
      const alone =
        clients.length === 0 || [...names].some(name => !clients.some(known => known.names.has(name)))
      t.ok(alone, `${key} is known to no client, so that documented.json has to name it`)
    }
  })

  const silent = Object.entries({ ...unknownOperations, ...unknownNames })
    .filter(([what]) => explained.has(what))
    .map(([what, why]) => `${what}: ${why}`)
  for (const [schema, fields] of undecoded)
    silent.push(`answer ${schema}: ${[...fields].join(', ')}: in the forge's OpenAPI document alone`)
  enter('requests', { title, source, confirmed, differences, silent })
})

const answerOf = (responses: Operation['responses']) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]

const urlOf = ({ path }: SentRequest) => new URL(path, 'http://forge.invalid')

function namesOf(request: SentRequest): string[] {
  const { body } = request
  const fields =
    body instanceof Uint8Array
      ? [
          ...Buffer.from(body)
            .toString('latin1')
            .matchAll(/form-data; name="([^"]+)"/g)
        ].map(([, name]) => name!)
      : Object.keys((body as object | undefined) ?? {})
  return [...urlOf(request).searchParams.keys(), ...fields].map(bareName)
}

/** Requests are written as templates wherever they stand: the row's own, what it reads first, what it does instead. */
function templatesIn(value: unknown): string[] {
  if (typeof value === 'string')
    return /^(GET|POST|PUT|DELETE|HEAD) \/\S*$/.test(value) && !/\}[^/]/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(templatesIn) : []
}
