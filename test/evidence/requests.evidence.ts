import t from 'tap'
import { operations } from '../forge/contract.ts'
import type { SentRequest } from '../support/scripted-dispatcher.ts'
import { narrower, unknownNames, unknownOperations } from './differences.ts'
import { enter } from './support/ledger.ts'
import { probe } from './support/probe.ts'
import { bareName, finder, keyOf } from './support/surface.ts'
import { rows } from './support/toolsets.ts'
import { voices } from './support/voices.ts'

/* Whether others who speak to the forge know what our tools send, and what the sandbox forge takes. */

const { heard, absent } = await voices()
const title = '1 Requests'
const source = heard.map(({ name }) => name).join(', ')

if (absent.length > 0) enter('requests', { title, source, skipped: absent.join('; '), confirmed: {} })

t.test('others know what is sent', { skip: absent.length > 0 && absent.join('; ') }, async t => {
  const confirmed = { tools: 0, 'operations sent': 0, 'names sent': 0, 'operations of the contract': 0 }
  const differences: string[] = []
  const explained = new Set<string>()

  /** Whether anyone knows it, or it is said why nobody does. */
  const held = (list: Record<string, string>, what: string, knowing: readonly string[]): boolean => {
    if (knowing.length > 0) return true
    explained.add(what)
    return what in list
  }

  const finders = heard.map(({ name, surface }) => ({ name, find: finder(surface) }))
  const contract = new Map(operations.map(each => [keyOf(each.method, each.path), each]))
  const findOurs = finder(contract)

  const whole = await probe(rows)
  await t.test('every operation that a tool sends, and every name in it', async t => {
    const seen = new Set<string>()
    for (const { tool, calls } of whole) {
      confirmed.tools++
      for (const request of calls.flatMap(({ requests }) => requests)) {
        if (request.path.endsWith('/graphql')) continue
        const { pathname } = urlOf(request)
        const found = finders.map(({ name, find }) => ({ name, known: find(request.method, pathname)?.[1] }))
        const [key = `${request.method} ${pathname}`] = findOurs(request.method, pathname) ?? []
        // An operation that is unknown may look like another that has a parameter in its place.
        const knowing = key in unknownOperations ? [] : found.filter(({ known }) => known !== undefined)
        if (!seen.has(key)) {
          seen.add(key)
          t.ok(
            held(
              unknownOperations,
              key,
              knowing.map(({ name }) => name)
            ),
            `${tool}: ${key}`
          )
        }
        if (knowing.length === 0) continue
        for (const name of namesOf(request)) {
          const what = `${key} ${name}`
          if (seen.has(what)) continue
          seen.add(what)
          const who = knowing.filter(({ known }) => known!.names.has(name)).map(voice => voice.name)
          t.ok(held(unknownNames, what, who), `${tool}: ${what}`)
          confirmed['names sent']++
          if (who.length > 0 && !who.includes(heard[0]!.name))
            differences.push(`${what}: not in the official client, but in ${who.join(' and ')}`)
        }
      }
    }
    confirmed['operations sent'] = [...seen].filter(what => what.split(' ').length === 2).length
  })

  // The probe's forge answers nothing of use, so a tool that asks first may have nothing to go on.
  const unsent = whole.flatMap(({ tool, unsent }) => [...new Set(unsent)].map(name => `${tool}.${name}`))
  if (unsent.length > 0) differences.push(`arguments that were not seen on the wire: ${unsent.join(', ')}`)

  await t.test('every request that stands in a row, sent or not', async t => {
    for (const row of rows)
      for (const template of templatesIn(row)) {
        const key = keyOf(...(template.split(' ') as [string, string]))
        t.ok(
          held(
            unknownOperations,
            key,
            heard.filter(({ surface }) => surface.has(key)).map(({ name }) => name)
          ),
          `${row.name}: ${key}`
        )
      }
  })

  await t.test('every operation of the contract', async t => {
    for (const key of contract.keys()) {
      const who = heard.filter(({ surface }) => surface.has(key)).map(({ name }) => name)
      t.ok(held(unknownOperations, key, who), key)
      if (who.length > 0) confirmed['operations of the contract']++
    }
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
    const isKnown = (what: string) => {
      const [method, path, name] = what.split(' ')
      const known = heard.flatMap(({ surface }) => surface.get(`${method} ${path}`) ?? [])
      return name === undefined ? known.length > 0 : known.some(({ names }) => names.has(name))
    }
    t.same(Object.keys({ ...unknownOperations, ...unknownNames }).filter(isKnown), [])
  })

  const silent = Object.entries({ ...unknownOperations, ...unknownNames })
    .filter(([what]) => explained.has(what))
    .map(([what, why]) => `${what}: ${why}`)
  enter('requests', { title, source, confirmed, differences, silent })
})

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
