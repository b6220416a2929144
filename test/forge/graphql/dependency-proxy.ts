import { groupLevel, LEVEL } from '../access.ts'
import { groupPath } from '../model/places.ts'
import { groupUrl } from '../present/project.ts'
import type { ForgeState } from '../state.ts'
import type { Group, ProxyBlob, User } from '../types.ts'
import { NO_ACCESS } from './access.ts'
import { connection, type Page } from './connection.ts'

/** Sizes in the forge's words (number_to_human_size). */
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

const blobConnection = (blobs: ProxyBlob[], page: Page) =>
  connection(
    blobs.map(blob => ({ ...blob, size: human(blob.bytes), updatedAt: blob.createdAt })),
    page
  )

/**
 * The fields of a group. Only owners see the settings and the retention policy; others get null
 * (admin_dependency_proxy).
 */
export const groupFields = (state: ForgeState, user: User, group: Group) => {
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
    dependencyProxyManifests: () => connection([], {}),
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

export const updateSettings = (state: ForgeState, user: User | undefined, input: SettingsInput) => {
  const group = state.groups.find(group => groupPath(group) === input.groupPath)
  if (!group || !user || groupLevel(user, group) < LEVEL.owner) throw new Error(NO_ACCESS)
  const { proxy } = group
  const identity = input.identity ?? proxy.identity
  const secret = input.secret ?? proxy.secret
  const clientMutationId = input.clientMutationId ?? null
  // Identity and secret are only valid together. The error is in the payload, with status 200.
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
