import { isToolsetId, type ToolsetId, toolsetIds } from '../../engine/rows/toolset-id.ts'

/** A name in FORGE_TOOLSETS that stands for several toolsets. */
interface Preset {
  /** Its purpose, in a few words. */
  readonly summary: string
  readonly toolsets: readonly ToolsetId[]
}

export const presets: Readonly<Record<string, Preset>> = {
  default: {
    summary: 'What is on where nothing is chosen.',
    toolsets: ['merge_requests', 'issues']
  },
  review: {
    summary: 'Reading, discussing and merging what others wrote.',
    toolsets: ['merge_requests', 'repository', 'pipelines', 'people']
  },
  developer: {
    summary: 'From an issue to a merged change: code, branches, commits, pipelines.',
    toolsets: ['merge_requests', 'issues', 'repository', 'pipelines', 'projects', 'people', 'search']
  },
  triage: {
    summary: 'Sorting, assigning and planning issues and work items.',
    toolsets: ['issues', 'planning', 'work_items', 'people', 'projects', 'search']
  },
  ops: {
    summary: 'Pipelines and their variables, schedules and reports, releases, packages and images.',
    toolsets: ['pipelines', 'ci', 'releases', 'registry', 'dependency_proxy', 'repository', 'webhooks']
  },
  all: { summary: 'Every toolset.', toolsets: toolsetIds }
}

const byName = new Map(Object.entries(presets))

/** Whether a name, in small letters, is that of a preset. */
export const isPreset = (name: string): boolean => byName.has(name)

/** The toolsets that an entry of FORGE_TOOLSETS names, in any case; none if it is not a toolset or preset. */
export function toolsetsNamed(entry: string): readonly ToolsetId[] {
  const name = entry.toLowerCase()
  return isToolsetId(name) ? [name] : (byName.get(name)?.toolsets ?? [])
}
