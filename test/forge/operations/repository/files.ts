import { createHash } from 'node:crypto'
import {
  type Call,
  notFound,
  type Operations,
  ok,
  pagedByKey,
  queryFlag,
  queryText,
  type Reply,
  refuse
} from '../../http.ts'
import { blameOf, logOf } from '../../model/log.ts'
import { blobId, treeAt } from '../../model/objects.ts'
import { bytesOf } from '../../model/zip.ts'
import { presentCommit } from '../../present/project.ts'
import type { Commit } from '../../types.ts'
import { codeOf, commitOf } from './code.ts'

const fileAt = (call: Call) => {
  const project = codeOf(call)
  const ref = queryText(call, 'ref') ?? 'HEAD'
  const commit = commitOf(project, ref)
  const path = call.params.file_path ?? ''
  const content = Object.hasOwn(commit.files, path) ? commit.files[path] : undefined
  if (content === undefined || commit.modes?.[path] === '160000') throw notFound('File')
  return { project, ref, commit, path, content }
}

const raw = (call: Call): Reply => {
  const { project, ref, commit, path, content } = fileAt(call)
  const bytes = bytesOf(content)
  const oid = /^oid sha256:(\w+)$/m.exec(content)?.[1]
  if (queryFlag(call, 'lfs') && oid !== undefined) {
    const object = project.repository.lfs.get(oid)
    if (object === undefined) throw notFound('File')
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: bytesOf(object) }
  }
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-gitlab-blob-id': blobId(content),
    'x-gitlab-commit-id': commit.sha,
    'x-gitlab-content-sha256': createHash('sha256').update(bytes).digest('hex'),
    'x-gitlab-encoding': 'base64',
    'x-gitlab-execute-filemode': String(commit.modes?.[path] === '100755'),
    'x-gitlab-file-name': encodeURIComponent(path.split('/').at(-1)!),
    'x-gitlab-file-path': encodeURIComponent(path),
    'x-gitlab-last-commit-id': logOf(project, commit, path)[0]?.sha ?? commit.sha,
    'x-gitlab-ref': encodeURIComponent(ref),
    'x-gitlab-size': String(bytes.length)
  }
  return { status: 200, headers, body: bytes }
}

/** The file as a record, with its bytes in base64. */
const record = (call: Call): Reply => {
  const { project, ref, commit, path, content } = fileAt(call)
  const bytes = bytesOf(content)
  return ok({
    file_name: path.split('/').at(-1),
    file_path: path,
    size: bytes.length,
    encoding: 'base64',
    content_sha256: createHash('sha256').update(bytes).digest('hex'),
    ref,
    blob_id: blobId(content),
    commit_id: commit.sha,
    last_commit_id: logOf(project, commit, path)[0]?.sha ?? commit.sha,
    execute_filemode: commit.modes?.[path] === '100755',
    content: bytes.toString('base64')
  })
}

const tree = (call: Call): Reply => {
  const project = codeOf(call)
  const commit = commitOf(project, queryText(call, 'ref') ?? 'HEAD', 'Tree')
  const entries = treeAt(commit, queryText(call, 'path') ?? '', queryFlag(call, 'recursive'))
  if (!entries) throw notFound('Tree')
  return pagedByKey(
    call,
    entries,
    ({ path }) => path,
    entry => entry
  )
}

/** Hunks of adjacent lines that the same commit introduced. */
const blame = (call: Call): Reply => {
  const { project, commit, path, content } = fileAt(call)
  const lines = content.replace(/\n$/, '').split('\n')
  const from = Number(queryText(call, 'range[start]') ?? 1)
  const to = Number(queryText(call, 'range[end]') ?? lines.length)
  if ((queryText(call, 'range[start]') === undefined) !== (queryText(call, 'range[end]') === undefined))
    throw refuse(400, 'range[start], range[end] are missing')
  if (from > to) throw refuse(400, 'range[start] must be lower than or equal to range[end]')
  if (from > lines.length) throw refuse(400, 'range is outside of the file')
  const hunks: { by: Commit; lines: string[] }[] = []
  for (const [at, by] of blameOf(project, commit, path).entries()) {
    if (at + 1 < from || at + 1 > to) continue
    if (hunks.at(-1)?.by === by) hunks.at(-1)!.lines.push(lines[at]!)
    else hunks.push({ by, lines: [lines[at]!] })
  }
  return ok(
    hunks.map(({ by, lines }) => {
      const { id, parent_ids, message, authored_date, author_name, author_email, ...rest } = presentCommit(
        call.state,
        project,
        by
      )
      const { committed_date, committer_name, committer_email } = rest
      const author = { authored_date, author_name, author_email }
      return {
        commit: { id, parent_ids, message, ...author, committed_date, committer_name, committer_email },
        lines
      }
    })
  )
}

export const fileOperations: Operations = {
  get_file: record,
  get_raw_file: raw,
  list_repository_tree: tree,
  get_file_blame: blame
}
