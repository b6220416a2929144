import { type GraphQLSchema, parse, print, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql'
import t from 'tap'
import { schema } from '../forge/contract-graphql.ts'
import { Unavailable } from '../support/program.ts'
import documented from './documented.json' with { type: 'json' }
import { type ClientSurface, clientGo } from './support/client-go.ts'
import { enter } from './support/ledger.ts'
import { peerDocuments } from './support/peer.ts'
import { probe } from './support/probe.ts'
import { rows } from './support/toolsets.ts'

/*
 * The tools' GraphQL documents, and the part of the schema that the sandbox forge plays, against the documents that
 * others send.
 */

const title = '5 GraphQL'

/** @returns why it cannot be had */
const had = <T>(asked: Promise<T>): Promise<T | string> =>
  asked.catch(error => {
    if (error instanceof Unavailable) return error.message
    throw error
  })
const client = await had(clientGo<ClientSurface>('operations'))
const peer = await had(peerDocuments())
const skip = [client, peer].find(asked => typeof asked === 'string') ?? false
if (skip !== false) enter('graphql', { title, source: 'documents of others', skipped: skip, confirmed: {} })

t.test('GraphQL documents', { skip }, async t => {
  const { version, operations } = client as ClientSurface
  const { name, documents } = peer as Exclude<typeof peer, string>
  const official = operations.flatMap(({ document }) => (document === undefined ? [] : [document]))
  const theirs = [...official, ...documents]
  const ours = await documentsOfTools()
  const heard = new Set<string>()

  await t.test("others' documents say the same of the types that we know", async t => {
    for (const document of theirs.filter(isDocument)) {
      for (const place of used(schema, document)) heard.add(place)
      // What our part of the schema leaves out is no contradiction; another type of the same thing is one.
      const against = validate(schema, parse(document)).filter(({ message }) =>
        /of type .* used in position/.test(message)
      )
      t.same(
        against.map(({ message }) => message),
        [],
        document.trim().slice(0, 60)
      )
    }
  })

  const alone = new Map<string, Set<string>>()
  let confirmed = 0
  await t.test('every document of a tool is one of the contract', async t => {
    for (const [tool, documents] of ours)
      for (const document of documents) {
        t.same(validate(schema, parse(document)).map(String), [], `${tool}: the contract has it`)
        for (const place of used(schema, document)) {
          if (heard.has(place)) confirmed++
          else if (place in documented.graphql) confirmed++
          else alone.set(tool, (alone.get(tool) ?? new Set()).add(place))
        }
      }
  })

  enter('graphql', {
    title,
    source: `the documents of client-go ${version} and ${name}`,
    confirmed: {
      'documents of others': theirs.filter(isDocument).length,
      'tools with documents': ours.size,
      'fields and arguments asked for': confirmed
    },
    silent: [...alone].map(
      ([tool, places]) =>
        `GraphQL of ${tool} (${[...places].join(', ')}): from the forge's published reference; nobody asked here asks for it`
    )
  })
})

/** Constant documents stand in their rows; the others are seen on the wire. */
async function documentsOfTools(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  const add = (tool: string, document: string) =>
    found.set(tool, (found.get(tool) ?? new Set()).add(print(parse(document))))
  for (const row of rows)
    if (row.kind === 'graphql' && typeof row.document === 'string') add(row.name, row.document)
  for (const { tool, calls } of await probe(rows))
    for (const { path, body } of calls.flatMap(({ requests }) => requests))
      if (path.endsWith('/graphql')) add(tool, (body as { query: string }).query)
  return found
}

function isDocument(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

/** `Type.field` and `Type.field(argument)` for all that a document asks for and the schema knows. */
function used(known: GraphQLSchema, document: string): Set<string> {
  const places = new Set<string>()
  const types = new TypeInfo(known)
  visit(
    parse(document),
    visitWithTypeInfo(types, {
      Field: ({ name }) => {
        if (types.getFieldDef()) places.add(`${types.getParentType()}.${name.value}`)
      },
      Argument: ({ name }) => {
        if (types.getArgument() && types.getFieldDef()) places.add(`${types.getFieldDef()}(${name.value})`)
      }
    })
  )
  return places
}
