import { readdirSync, readFileSync } from 'node:fs'
import {
  buildASTSchema,
  buildSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  getVariableValues,
  type IntValueNode,
  Kind,
  parse,
  validate,
  visit
} from 'graphql'

const folder = new URL('./contract/', import.meta.url)
const sdl = readdirSync(folder)
  .filter(name => name.endsWith('.graphql'))
  .map(name => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')

/** The whole known schema, of every edition and release: everything that a tool may ask for. */
export const schema: GraphQLSchema = buildSchema(sdl)

const schemas = new Map<string, GraphQLSchema>()

/** The schema of one forge, without the parts that its edition does not have or that came after its release. */
export const schemaOf = (isEnterprise: boolean, major: number): GraphQLSchema => {
  const key = `${isEnterprise} ${major}`
  const known = schemas.get(key)
  if (known) return known
  const lacks = ({ directives }: { directives?: readonly ConstDirectiveNode[] | undefined }) =>
    directives?.some(
      ({ name, arguments: values }) =>
        (name.value === 'enterprise' && !isEnterprise) ||
        (name.value === 'since' && values?.some(({ value }) => Number((value as IntValueNode).value) > major))
    )
  const drop = (node: { directives?: readonly ConstDirectiveNode[] | undefined }) =>
    lacks(node) ? null : undefined
  const made = buildASTSchema(
    visit(parse(sdl), { FieldDefinition: drop, InputValueDefinition: drop, ObjectTypeDefinition: drop })
  )
  schemas.set(key, made)
  return made
}

/** The forge's errors for a document that uses parts its schema lacks, in the words of graphql-ruby. */
export const lacking = (query: string, of: GraphQLSchema): string[] =>
  validate(of, parse(query)).map(({ message }) =>
    message
      .replace(/^Cannot query field "(\w+)" on type "(\w+)".*$/, "Field '$1' doesn't exist on type '$2'")
      .replace(/^Unknown type "(\w+)".*$/, "No such type $1, so it can't be a fragment condition")
  )

// GitLab's connections clamp page sizes at 100 (docs: GraphQL pagination).
const FIRST_MAX = 100

interface GraphqlBody {
  query?: unknown
  variables?: Record<string, unknown>
  operationName?: unknown
}

const readBody = (body: unknown): GraphqlBody | undefined => {
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
    return typeof value === 'object' && value !== null ? (value as GraphqlBody) : undefined
  } catch {
    return undefined
  }
}

/** Checks the variables against the operation's own types. Unknown or mistyped input fields would hide there. */
const variableErrors = (document: DocumentNode, variables: Record<string, unknown> = {}) => {
  const operation = document.definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION)
  const outcome = getVariableValues(schema, operation?.variableDefinitions ?? [], variables)
  return outcome.errors ?? []
}

/** Checks a GraphQL request: it has to be a POST with JSON, and its document valid against the published schema. */
export const checkGraphql = ({ method, body }: { method: string; body?: unknown }): string[] => {
  if (method !== 'POST') return [`no operation ${method} /api/graphql`]
  const read = readBody(body)
  if (!read) return ['graphql: the body is not a JSON object']
  const unknown = Object.keys(read).filter(key => !['query', 'variables', 'operationName'].includes(key))
  const problems = unknown.map(key => `graphql: ${key} is not part of a GraphQL request`)
  if (typeof read.query !== 'string') return [...problems, 'graphql: query is missing']
  const first = read.variables?.first
  if (typeof first === 'number' && first > FIRST_MAX) problems.push(`graphql: first is above ${FIRST_MAX}`)
  try {
    const document = parse(read.query)
    const errors = [...validate(schema, document), ...variableErrors(document, read.variables)]
    return [...problems, ...errors.map(error => `graphql: ${error.message}`)]
  } catch (error) {
    return [...problems, `graphql: ${error instanceof Error ? error.message : String(error)}`]
  }
}
