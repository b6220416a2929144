import { type GraphQLFormattedError, getOperationAST, graphqlSync, parse } from 'graphql'
import { groupLevel } from './access.ts'
import { lacking, schemaOf } from './contract-graphql.ts'
import { NO_ACCESS } from './graphql/access.ts'
import { groupFields, updateSettings } from './graphql/dependency-proxy.ts'
import { vulnerabilityRoot } from './graphql/vulnerabilities.ts'
import { workItemRoot } from './graphql/work-items.ts'
import type { Reply } from './http.ts'
import { groupPath } from './model/places.ts'
import type { Credential, ForgeState } from './state.ts'
import type { User } from './types.ts'

const rootOf = (state: ForgeState, user: User | undefined) => ({
  currentUser: user && {
    id: `gid://gitlab/User/${user.id}`,
    bot: false,
    username: user.username,
    name: user.name,
    publicEmail: null,
    avatarUrl: null,
    webUrl: `${state.url}/${user.username}`,
    webPath: `/${user.username}`,
    active: true,
    human: true
  },
  group: ({ fullPath }: { fullPath: string }) => {
    const group = state.groups.find(group => groupPath(group) === fullPath)
    return group && user && groupLevel(user, group) > 0 ? groupFields(state, user, group) : null
  },
  updateDependencyProxySettings: ({ input }: { input: Parameters<typeof updateSettings>[2] }) =>
    updateSettings(state, user, input),
  ...workItemRoot(state, user),
  ...vulnerabilityRoot(state, user)
})

/**
 * Whether the token may run the document. A read-only token may not run mutations, and gets the same error as a caller
 * who may not see the object.
 */
const mayRun = (credential: Credential | undefined, query: string): boolean =>
  credential === undefined ||
  credential.scopes.includes('api') ||
  getOperationAST(parse(query))?.operation !== 'mutation'

/** Runs a GraphQL request. Its errors are part of a 200 answer, as in GraphQL over HTTP. */
export const answerGraphql = (
  state: ForgeState,
  credential: Credential | undefined,
  body: unknown
): Reply => {
  const { query, variables } = body as { query: string; variables?: Record<string, unknown> }
  const schema = schemaOf(state.edition === 'ee', Number.parseInt(state.version, 10))
  const missing = lacking(query, schema)
  if (missing.length > 0) return { status: 200, body: { errors: missing.map(message => ({ message })) } }
  if (!mayRun(credential, query)) return { status: 200, body: { errors: [{ message: NO_ACCESS }] } }
  const rootValue = rootOf(state, credential?.user)
  const { data, errors } = graphqlSync({ schema, source: query, rootValue, variableValues: variables })
  const formatted: GraphQLFormattedError[] | undefined = errors?.map(error => error.toJSON())
  return {
    status: 200,
    body: { ...(data === undefined ? {} : { data }), ...(formatted ? { errors: formatted } : {}) }
  }
}
