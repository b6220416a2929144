import type { OwnFields } from '../../json/records.ts'
import { isRecord } from '../is-record.ts'
import type { RecordViews } from './views.ts'

const COMMIT = 'id title author_name authored_date committed_date parent_ids stats web_url'
const BRANCH = 'name default protected merged'
const TAG = 'name target message protected commit{id title committed_date} created_at'
const STATUS =
  'id name status ref allow_failure description target_url coverage pipeline_id started_at finished_at author{username}'
const LEVELS = '{access_level role user_id group_id deploy_key_id}'

/** Removes a commit message that is the same as the title. */
function tidyMessage(record: OwnFields): void {
  if (trimmed(record.message) === trimmed(record.title)) record.message = undefined
}

/** Also removes committed_date if it equals authored_date. */
function tidyCommit(record: OwnFields): void {
  tidyMessage(record)
  if (record.committed_date === record.authored_date) record.committed_date = undefined
}

/**
 * A text, trimmed, or an empty one if it is missing; other values, which a forge may send, are returned as they are.
 */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : (value ?? ''))

/** The id of a file distinguishes its versions; the only modes worth showing are those of links and submodules. */
function tidyTreeEntry(record: OwnFields): void {
  if (record.type !== 'blob') record.id = undefined
  if (record.mode !== '120000' && record.mode !== '160000') record.mode = undefined
}

/** Forges before 12.9 give the path only as `filename`. */
function tidyCodeMatch(record: OwnFields): void {
  record.path ??= record.filename
}

/** Files, commits, branches, tags and their protection. */
export const repositoryRecords = {
  tree_entry: { list: 'path type id mode', tidy: tidyTreeEntry },
  code_match: { list: 'path ref startline project_id data', tidy: tidyCodeMatch },
  commit: {
    list: `${COMMIT} message:500`,
    get: `${COMMIT} message author_email status last_pipeline{id ref sha status web_url} project_id`,
    write: 'id title branch parent_ids web_url paths dry_run',
    tidy: tidyCommit
  },
  branch: {
    list: `${BRANCH} commit{id title committed_date}`,
    get: `${BRANCH} can_push developers_can_push developers_can_merge web_url commit{id title message author_name committed_date}`,
    tidy: ({ commit }) => {
      if (isRecord(commit)) tidyMessage(commit)
    }
  },
  commit_merge_request: {
    list: 'iid title state author{username} source_branch target_branch merged_at merge_commit_sha web_url'
  },
  commit_ref: { list: 'type name' },
  commit_status: { list: STATUS, get: `${STATUS} sha` },
  tag: { list: `${TAG} release{tag_name}`, get: `${TAG} release{tag_name description}` },
  protected_branch: {
    list: `id name push_access_levels${LEVELS} merge_access_levels${LEVELS} unprotect_access_levels${LEVELS} allow_force_push code_owner_approval_required`
  },
  snippet: {
    list: 'id title description:300 visibility files{path} updated_at web_url author{username} project_id',
    get: 'id title description visibility files{path} created_at updated_at web_url author{username} project_id',
    write: 'id title visibility files{path} updated_at web_url project_id'
  },
  contributor: { list: 'name email commits' }
} as const satisfies Readonly<Record<string, RecordViews>>
