import { groupOf, mergeRequestOf, projectOf, visibleProjects } from '../access.ts'
import { type Call, type Operations, ok, paged, queryFlag, recordNotFound, text } from '../http.ts'
import { mergeRequestFilter, sortedMergeRequests } from '../model/filters.ts'
import { changesOf, isDraft, refreshVersions } from '../model/merge-requests.ts'
import {
  commitsOf,
  presentChanges,
  presentMergeRequest,
  presentMergeRequestBasic,
  presentVersion,
  presentVersionFull
} from '../present/merge-request.ts'
import { presentPipelineBasic } from '../present/pipeline.ts'
import { presentCommit, presentDiff } from '../present/project.ts'
import type { MergeRequest, Project } from '../types.ts'

/** The merge request of the path, with its diff versions brought up to the source branch. */
export const currentMergeRequest = (call: Call) => {
  const request = mergeRequestOf(call)
  refreshVersions(call.state, request)
  return request
}

const list = (call: Call, projects: Project[], defaultScope: string) => {
  const rows = projects.flatMap(project => project.mergeRequests)
  const keep = mergeRequestFilter(call, defaultScope, request => isDraft(request.title))
  const labelDetails = queryFlag(call, 'with_labels_details')
  return paged(call, sortedMergeRequests(call, rows.filter(keep)), row =>
    presentMergeRequestBasic(call.state, row, { labelDetails })
  )
}

const versionOf = (call: Call, request: MergeRequest) => {
  const found = request.versions.find(version => String(version.id) === call.params.version_id)
  if (!found) throw recordNotFound()
  return found
}

export const mergeRequestOperations: Operations = {
  list_merge_requests: call => list(call, visibleProjects(call.state, call.user), 'created_by_me'),
  list_project_merge_requests: call => list(call, [projectOf(call)], 'all'),
  list_group_merge_requests: call => {
    const group = groupOf(call)
    const projects = visibleProjects(call.state, call.user).filter(project => project.group === group)
    return list(call, projects, 'all')
  },
  get_merge_request: call =>
    ok(
      presentMergeRequest(call.state, currentMergeRequest(call), call.user, {
        diverged: queryFlag(call, 'include_diverged_commits_count'),
        rebase: queryFlag(call, 'include_rebase_in_progress'),
        html: queryFlag(call, 'render_html')
      })
    ),
  get_merge_request_changes: call =>
    ok(presentChanges(call.state, currentMergeRequest(call), call.user, queryFlag(call, 'unidiff'))),
  list_merge_request_diffs: call =>
    paged(call, changesOf(currentMergeRequest(call)), change =>
      presentDiff(change, queryFlag(call, 'unidiff'))
    ),
  get_merge_request_raw_diffs: call =>
    text(
      changesOf(currentMergeRequest(call))
        .map(
          change => `diff --git a/${change.oldPath} b/${change.newPath}\n${presentDiff(change, true).diff}`
        )
        .join('')
    ),
  list_merge_request_versions: call => {
    const request = currentMergeRequest(call)
    return paged(call, [...request.versions].reverse(), version =>
      presentVersion(call.state, request, version)
    )
  },
  get_merge_request_version: call => {
    const request = currentMergeRequest(call)
    return ok(presentVersionFull(call.state, request, versionOf(call, request), queryFlag(call, 'unidiff')))
  },
  list_merge_request_pipelines: call => {
    const request = currentMergeRequest(call)
    const heads = request.versions.map(({ head }) => head)
    const rows = request.project.pipelines.filter(pipeline => heads.includes(pipeline.sha)).reverse()
    return paged(call, rows, pipeline => presentPipelineBasic(call.state, pipeline))
  },
  list_merge_request_commits: call => {
    const request = currentMergeRequest(call)
    return paged(call, commitsOf(request), commit => presentCommit(call.state, request.project, commit))
  }
}
