import { type GraphQLFormattedError, graphqlSync } from 'graphql'
import { groupLevel, LEVEL } from './access.ts'
import { schema } from './contract-graphql.ts'
import type { Reply } from './http.ts'
import { groupPath } from './model/places.ts'
import { groupUrl } from './present/project.ts'
import type { ForgeState } from './state.ts'
import type { Group, ProxyBlob, User } from './types.ts'

interface Page {
  first?: number | null
  after?: string | null
}

const CONNECTION_MAX = 100

/** Sizes as the forge words them (number_to_human_size). */
const human = (bytes: number): string => {
  const units = ['Bytes', 'KiB', 'MiB', 'GiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${Number(value.toPrecision(3))} ${units[unit]}`
}

const cursorOf = (index: number) => Buffer.from(JSON.stringify({ id: String(index) })).toString('base64')

const offsetOf = (after: string | null | undefined) => {
  if (!after) return 0
  try {
    return Number((JSON.parse(Buffer.from(after, 'base64').toString()) as { id: string }).id) + 1
  } catch {
    throw new Error('Please provide a valid cursor')
  }
}

const blobConnection = (blobs: ProxyBlob[], { first, after }: Page) => {
  const start = offsetOf(after)
  const rows = blobs.slice(start, start + Math.min(first ?? CONNECTION_MAX, CONNECTION_MAX))
  const nodes = rows.map(blob => ({ ...blob, size: human(blob.bytes), updatedAt: blob.createdAt }))
  const end = start + rows.length - 1
  return {
    nodes,
    edges: nodes.map((node, index) => ({ cursor: cursorOf(start + index), node })),
    pageInfo: {
      endCursor: rows.length > 0 ? cursorOf(end) : null,
      startCursor: rows.length > 0 ? cursorOf(start) : null,
      hasNextPage: end + 1 < blobs.length,
      hasPreviousPage: start > 0
    }
  }
}

const emptyConnection = () => ({
  nodes: [],
  edges: [],
  pageInfo: { endCursor: null, startCursor: null, hasNextPage: false, hasPreviousPage: false }
})

/** The settings and the retention policy show themselves to owners only; others get null (admin_dependency_proxy). */
const groupFields = (state: ForgeState, user: User, group: Group) => {
  const { proxy } = group
  const total = proxy.blobs.reduce((sum, blob) => sum + blob.bytes, 0)
  const owner = groupLevel(user, group) >= LEVEL.owner
  const ttl = { enabled: proxy.ttl !== null, ttl: proxy.ttl ?? 90, createdAt: null, updatedAt: null }
  return {
    id: `gid://gitlab/Group/${group.id}`,
    name: group.name,
    path: group.path,
    fullName: group.name,
    fullPath: groupPath(group),
    description: '',
    webUrl: groupUrl(state, group),
    dependencyProxySetting: owner ? { enabled: proxy.enabled, identity: proxy.identity } : null,
    dependencyProxyBlobs: (page: Page) => blobConnection(proxy.blobs, page),
    dependencyProxyManifests: emptyConnection,
    dependencyProxyImageCount: 0,
    dependencyProxyBlobCount: proxy.blobs.length,
    dependencyProxyTotalSize: human(total),
    dependencyProxyTotalSizeInBytes: total,
    dependencyProxyTotalSizeBytes: String(total),
    dependencyProxyImagePrefix: `${state.url.replace(/^https?:\/\//, '')}/${group.path}/dependency_proxy/containers`,
    dependencyProxyImageTtlPolicy: owner ? ttl : null
  }
}

interface SettingsInput {
  clientMutationId?: string
  groupPath: string
  enabled?: boolean
  identity?: string
  secret?: string
}

const NO_ACCESS =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action"

const updateSettings = (state: ForgeState, user: User | undefined, input: SettingsInput) => {
  const group = state.groups.find(group => groupPath(group) === input.groupPath)
  if (!group || !user || groupLevel(user, group) < LEVEL.owner) throw new Error(NO_ACCESS)
  const { proxy } = group
  const identity = input.identity ?? proxy.identity
  const secret = input.secret ?? proxy.secret
  const clientMutationId = input.clientMutationId ?? null
  // One without the other does not validate; the answer's own errors say so, with status 200.
  if (Boolean(identity) !== Boolean(secret)) {
    const errors = [identity ? "Secret can't be blank" : "Identity can't be blank"]
    return { clientMutationId, errors, dependencyProxySetting: null }
  }
  Object.assign(proxy, {
    enabled: input.enabled ?? proxy.enabled,
    identity: identity || null,
    secret: secret || null
  })
  return {
    clientMutationId,
    errors: [],
    dependencyProxySetting: { enabled: proxy.enabled, identity: proxy.identity }
  }
}

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
  updateDependencyProxySettings: ({ input }: { input: SettingsInput }) => updateSettings(state, user, input)
})

/** Runs a GraphQL request; errors in it are part of a 200 answer, as GraphQL over HTTP has it. */
export const answerGraphql = (state: ForgeState, user: User | undefined, body: unknown): Reply => {
  const { query, variables } = body as { query: string; variables?: Record<string, unknown> }
  const rootValue = rootOf(state, user)
  const { data, errors } = graphqlSync({ schema, source: query, rootValue, variableValues: variables })
  const formatted: GraphQLFormattedError[] | undefined = errors?.map(error => error.toJSON())
  return {
    status: 200,
    body: { ...(data === undefined ? {} : { data }), ...(formatted ? { errors: formatted } : {}) }
  }
}
