import type { ConfirmPolicy } from './consent/consent.ts'
import type { ProjectLimit } from './project-limit.ts'
import type { TextRule } from './texts/quick-actions.ts'

/** The operator's policy for every tool. */
export interface ToolSettings {
  /** FORGE_PROJECT_ID: used if project_id is optional and missing, except for deletions; empty means none. */
  readonly defaultProject: string
  readonly projects: ProjectLimit
  /** FORGE_DENIED_TOOLS_REGEX */
  readonly isDenied: (tool: string) => boolean
  /** Whether a tool of that name exists: the pattern may match any other word as well. */
  readonly isTool: (name: string) => boolean
  /** FORGE_DENY_SECRET_VALUES: secret values must not be requested. */
  readonly denySecretValues: boolean
  readonly checkText: TextRule
  /** FORGE_CONFIRM */
  readonly confirm: ConfirmPolicy
}
