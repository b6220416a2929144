import fp from 'fastify-plugin'
import type { ResourceRow } from '../src/resources/row.ts'

/** All resources, in the order in which they are listed. */
export const resources: readonly ResourceRow[] = [
  {
    name: 'plate',
    title: 'My plate',
    description: 'What waits for you: to-dos, merge requests to review, your merge requests and issues.',
    uri: 'forge://me/plate',
    tool: 'whats_on_my_plate',
    shows: 'record'
  },
  {
    name: 'file',
    title: 'File',
    description:
      'A text file or image of a repository, at a branch, tag or commit; HEAD is the default branch.',
    uri: 'forge://projects/{project_id}/files/{ref}/{+path}',
    tool: 'get_file_contents',
    shows: 'content'
  },
  {
    name: 'merge_request',
    title: 'Merge request',
    description: 'A merge request with its description and state.',
    uri: 'forge://projects/{project_id}/merge_requests/{merge_request_iid}',
    tool: 'get_merge_request',
    shows: 'record'
  },
  {
    name: 'merge_request_diff',
    title: 'Diff of a file',
    description: 'What a merge request changes in one file, its lines numbered.',
    uri: 'forge://projects/{project_id}/merge_requests/{merge_request_iid}/diffs/{+path}',
    tool: 'get_merge_request_file_diff',
    arguments: ({ path, ...one }) => ({ ...one, file_paths: [path], line_numbers: true }),
    shows: 'record'
  },
  {
    name: 'issue',
    title: 'Issue',
    description: 'An issue with its description and state.',
    uri: 'forge://projects/{project_id}/issues/{issue_iid}',
    tool: 'get_issue',
    shows: 'record'
  },
  {
    name: 'pipeline',
    title: 'Pipeline',
    description: 'A pipeline with its status, times and coverage.',
    uri: 'forge://projects/{project_id}/pipelines/{pipeline_id}',
    tool: 'get_pipeline',
    shows: 'record'
  },
  {
    name: 'job_log',
    title: 'Job log',
    description: 'The last thousand lines that a CI job has written.',
    uri: 'forge://projects/{project_id}/jobs/{job_id}/log',
    tool: 'get_pipeline_job_output',
    shows: 'content',
    mimeType: 'text/plain'
  },
  {
    name: 'wiki_page',
    title: 'Wiki page',
    description: 'A page of the wiki of a project.',
    uri: 'forge://projects/{project_id}/wikis/{+slug}',
    tool: 'get_wiki_page',
    shows: 'content'
  },
  {
    name: 'group_wiki_page',
    title: 'Group wiki page',
    description: 'A page of the wiki of a group.',
    uri: 'forge://groups/{group_id}/wikis/{+slug}',
    tool: 'get_wiki_page',
    shows: 'content'
  }
]

/** Adds the resources to the registry; not registered if FORGE_RESOURCES is off. */
export default fp(
  async fastify => {
    for (const row of resources) fastify.resources?.add(row)
  },
  { fastify: '5.x', name: 'resources', dependencies: ['features/resource-registry'] }
)
