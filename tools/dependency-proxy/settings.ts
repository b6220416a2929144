import { type Static, Type } from 'typebox'
import type { ToolContext } from '../../src/engine/context.ts'
import { CallProblem, NoPlace } from '../../src/results/problem.ts'
import { quoted } from '../../src/results/visible.ts'
import { settingsQuery } from './documents.ts'
import { ofGroup } from './group.ts'

/** The fields that every record of dependency proxy settings has. */
export const Settings = Type.Object({ enabled: Type.Boolean() })

/** The complete record. Fields for which the forge has no value are left out. */
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

/**
 * Reads the settings from the forge's answer.
 * @throws CallProblem when the group or its settings cannot be seen
 */
export function settingsOf({ group }: SettingsAnswer, group_id: string): SettingsRecord {
  if (group === undefined || group === null) throw new NoPlace('group', group_id)
  const enabled = group.dependencyProxySetting?.enabled
  if (typeof enabled !== 'boolean')
    throw new CallProblem(
      `The forge does not show the dependency proxy settings of ${JSON.stringify(group_id)}: reading them takes the permission to administer the group's dependency proxy (Owner, or Maintainer on some forges), and the forge must have the feature.`
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

/**
 * Reads the settings after a change.
 * @throws CallProblem that says that the change was made, if reading fails
 */
export async function readBack(args: { group_id: string }, context: ToolContext): Promise<SettingsRecord> {
  try {
    const variables = await ofGroup(args, context)
    return settingsOf(await context.forge.graphql(settingsQuery, variables), args.group_id)
  } catch (error) {
    throw new CallProblem(
      `The settings were changed. Reading them back failed: ${quoted((error as Error).message)}.`
    )
  }
}

const given = <K extends string, V>(key: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
