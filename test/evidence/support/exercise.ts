import { operations as all, type Operation } from '../../forge/contract.ts'
import type { Forge } from '../../forge/index.ts'
import type { Driver, Outcome } from './driver.ts'
import { bodyFor } from './examples.ts'
import { addressOf, isList, Places } from './places.ts'
import { keyOf } from './surface.ts'

/** Forms with files are sent by none of the clients in a way that is told by fields. */
const operations = all.filter(({ media }) => media === undefined)

/** In how many places something is tried that the forge refuses. */
const TRIES = 12

/** One operation that a client was asked for. */
export interface Tried {
  operation: Operation
  /** Without it the sandbox had nothing to ask it of. */
  outcome?: Outcome
  /** For what is read: what the forge sends without anyone's client. */
  sent?: unknown
}

/**
 * Lets a client do everything that the contract has, in an order in which it can be done: all that is read, then
 * each thing that can be made is made, read, changed and deleted, then what else there is to do.
 */
export async function exercise(forge: Forge, client: Driver): Promise<Tried[]> {
  const driver: Pick<Driver, 'call'> = {
    call: async (...what) => {
      const before = forge.requests.at(-1)
      const outcome = await client.call(...what)
      // A client that wants more than the forge does has asked nothing.
      return forge.requests.at(-1) === before ? { unknown: true } : outcome
    }
  }
  const places = new Places(forge)
  const tried: Tried[] = []
  const done = new Set<Operation>()
  const byKey = new Map(operations.map(each => [keyOf(each.method, each.path), each]))

  const call = async (operation: Operation, path: readonly string[], values: Record<string, unknown>) => {
    done.add(operation)
    const outcome = await driver.call(keyOf(operation.method, operation.path), path, values)
    places.forget()
    return outcome
  }

  /** Tries one place after the other until the forge takes it: not every record may be changed. */
  const callSomewhere = async (operation: Operation) => {
    let outcome: Outcome | undefined
    let tries = 0
    for await (const { values } of places.of(operation.path)) {
      outcome = await call(operation, values, bodyFor(operation))
      if (outcome.status === undefined || ++tries === TRIES) return { outcome, values }
    }
    return outcome && { outcome, values: [] }
  }

  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    done.add(operation)
    const found = await somewhere(places, operation)
    if (found === undefined) tried.push({ operation })
    else {
      const outcome = await driver.call(keyOf('GET', operation.path), found.values, found.query)
      tried.push({ operation, outcome, sent: found.value })
    }
  }

  for (const create of operations.filter(({ method }) => method === 'POST')) {
    const one = ['GET', 'PUT', 'DELETE'].flatMap(method => {
      const operation = byKey.get(`${keyOf(method, create.path)}/{}`)
      return operation === undefined ? [] : [operation]
    })
    if (one.length === 0) continue
    const made = await callSomewhere(create)
    tried.push({ operation: create, ...(made && { outcome: made.outcome }) })
    const record = made?.outcome.value
    if (typeof record !== 'object' || record === null) continue
    const name = /\{(\w+)\}$/.exec(one[0]!.path)![1]!
    for (const operation of one)
      for (const id of addressOf(record as Record<string, unknown>, name)) {
        const body = operation.method === 'PUT' ? bodyFor(operation) : {}
        tried.push({ operation, outcome: await call(operation, [...made!.values, id], body) })
      }
  }

  const rest = async (which: readonly Operation[]) => {
    for (const operation of which.filter(each => !done.has(each))) {
      const made = await callSomewhere(operation)
      tried.push({ operation, ...(made && { outcome: made.outcome }) })
    }
  }
  await rest(operations.filter(({ method }) => method !== 'DELETE'))

  // What was done since may have cleared the way: an approval, for one.
  for (const again of tried) {
    if (again.outcome?.status === undefined || again.operation.method === 'DELETE') continue
    const { outcome } = (await callSomewhere(again.operation)) ?? {}
    if (outcome !== undefined) again.outcome = outcome
  }

  // Last what is deleted, the deepest first: without its project nothing is left to do.
  const depth = ({ path }: Operation) => path.split('/').length
  await rest([...operations].sort((a, b) => depth(b) - depth(a)))
  return tried
}

/** A place where the forge has something to show for an operation; of a list, one that is not empty if there is any. */
async function somewhere(places: Places, operation: Operation) {
  const query = Object.fromEntries(
    Object.entries(operation.query).flatMap(([name, { required }]) =>
      required ? [[name, bodyFor(operation)[name]]] : []
    )
  )
  const search = new URLSearchParams(query as Record<string, string>).toString()
  let empty: { values: string[]; value: unknown; query: Record<string, unknown> } | undefined
  for await (const { values, path } of places.of(operation.path)) {
    const { status, value } = await places.ask(search === '' ? path : `${path}?${search}`)
    if (status !== 200) continue
    if (!isList(operation) || (value as unknown[]).length > 0) return { values, value, query }
    empty ??= { values, value, query }
  }
  return empty
}
