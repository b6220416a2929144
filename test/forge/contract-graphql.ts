import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type DocumentNode,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  parse,
  validate
} from 'graphql'

const sdl = readFileSync(new URL('./contract/graphql.graphql', import.meta.url), 'utf8')

/** The schema both the check and the sandbox execute against. */
export const schema: GraphQLSchema = buildSchema(sdl)

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

/** Unknown or mistyped input fields hide in the variables: they are checked against the operation's own types. */
const variableErrors = (document: DocumentNode, variables: Record<string, unknown> = {}) => {
  const operation = document.definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION)
  const outcome = getVariableValues(schema, operation?.variableDefinitions ?? [], variables)
  return outcome.errors ?? []
}

/** Checks a GraphQL request: POST, JSON, a document that is valid against the published schema. */
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
