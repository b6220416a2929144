import { type Static, Type } from 'typebox'
import type { ToolContext } from '../../src/engine/context.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import { settingsQuery, updateMutation } from './documents.ts'
import { noGroup } from './group.ts'

/** What every dependency proxy settings record has. */
export const Settings = Type.Object({ enabled: Type.Boolean() })

/** The whole record; what the forge has no value for is left out. */
interface SettingsRecord extends Static<typeof Settings> {
  blob_count?: number
  total_size?: string
  image_prefix?: string
  ttl_policy?: { enabled: boolean; ttl?: number }
}

interface SettingsAnswer {
  group?: {
    dependencyProxySetting?: { enabled?: unknown } | null
    dependencyProxyBlobCount?: number | null
    dependencyProxyTotalSize?: string | null
    dependencyProxyImagePrefix?: string | null
    dependencyProxyImageTtlPolicy?: { enabled: boolean; ttl?: number | null } | null
  } | null
}

/** @throws what ForgeClient.graphql throws, CallProblem when the group or its settings are not to be seen */
export async function readSettings(fullPath: string, { forge }: ToolContext): Promise<SettingsRecord> {
  const { group }: SettingsAnswer = await forge.graphql(settingsQuery, { fullPath })
  if (group === undefined || group === null) throw noGroup(fullPath)
  const enabled = group.dependencyProxySetting?.enabled
  if (typeof enabled !== 'boolean')
    throw new CallProblem(
      `The forge does not show the dependency proxy settings of ${JSON.stringify(fullPath)}: reading them takes the permission to administer the group's dependency proxy (Owner, or Maintainer on some forges), and the forge must have the feature.`
    )
  const policy = group.dependencyProxyImageTtlPolicy
  return {
    enabled,
    ...given('blob_count', group.dependencyProxyBlobCount),
    ...given('total_size', group.dependencyProxyTotalSize),
    ...given('image_prefix', group.dependencyProxyImagePrefix),
    ...given('ttl_policy', policy && { enabled: policy.enabled, ...given('ttl', policy.ttl) })
  }
}

/** What of the settings can be changed. */
export interface SettingsChange {
  enabled?: boolean | undefined
  identity?: string | undefined
  secret?: string | undefined
}

/** @throws what ForgeClient.graphql throws, CallProblem with the forge's reasons when it refuses */
export async function changeSettings(
  groupPath: string,
  change: SettingsChange,
  { forge }: ToolContext
): Promise<void> {
  const { updateDependencyProxySettings: payload } = await forge.graphql(updateMutation, {
    input: { groupPath, ...change }
  })
  if (typeof payload !== 'object' || payload === null)
    throw new CallProblem('The forge did not say whether the settings were changed: read them.')
  const { errors } = payload as { errors?: unknown }
  if (Array.isArray(errors) && errors.length > 0)
    throw new CallProblem(`The forge refused the change: ${errors.map(String).join('; ').slice(0, 2000)}`)
}

const given = <K extends string, V>(key: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
