import { wordKey } from '../../base/word-key.ts'
import type { ToolsetId } from './toolset-id.ts'

/** Words for the subject of a toolset, and names that others use for it, with underscores. */
const words: Partial<Record<ToolsetId, string>> = {
  merge_requests: 'discussions approvals mr mrs pr prs pull_requests',
  issues: 'todos',
  pipelines: 'deployments environments jobs artifacts ci_cd cicd',
  repository: 'files commits branches tags code repos repositories',
  projects: 'groups members events',
  people: 'users',
  planning: 'labels milestones iterations',
  ci: 'variables schedules runners',
  registry: 'packages',
  work_items: 'epics workitems',
  security: 'vulnerabilities'
}

const byWord = new Map(
  Object.entries(words).flatMap(([id, all]) => all.split(' ').map(word => [word, id as ToolsetId] as const))
)

/** The toolset for each word. */
export const toolsetByWord: Readonly<Record<string, ToolsetId>> = Object.fromEntries(byWord)

/** The toolset for a word in any case, with any characters between its parts; undefined if there is none. */
export const toolsetOfWord = (word: string): ToolsetId | undefined => byWord.get(wordKey(word))
