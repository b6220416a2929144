import {
  badRequest,
  type Call,
  notFound,
  type Operations,
  paged,
  queryFlag,
  queryText,
  type Reply,
  refuse
} from '../http.ts'
import { bytesOf, zipOf } from '../model/zip.ts'
import { archiveOf } from '../present/pipeline.ts'
import { jobOf } from './pipelines.ts'

interface Entry {
  name: string
  path: string
  type: 'file' | 'directory'
  size?: number
  mode: string
}

const MIME: Record<string, string> = {
  html: 'text/html',
  json: 'application/json',
  png: 'image/png',
  txt: 'text/plain',
  xml: 'application/xml'
}

const archive = (call: Call): Record<string, string> => {
  const files = archiveOf(jobOf(call))
  if (!files) throw refuse(404, '404 Not Found')
  return files
}

/** One byte range of a file, as object storage and nginx serve it. So a reader may fetch only the central directory. */
const ranged = (call: Call, bytes: Buffer, headers: Record<string, string>): Reply => {
  const [, from, to] = String(call.headers.range ?? '').match(/^bytes=(\d*)-(\d*)$/) ?? []
  const accept = { ...headers, 'accept-ranges': 'bytes' }
  if (from === undefined || (from === '' && to === '')) return { status: 200, headers: accept, body: bytes }
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (start > end) return { status: 416, headers: { 'content-range': `bytes */${bytes.length}` }, body: '' }
  return {
    status: 206,
    headers: { ...accept, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1)
  }
}

const hasTree = (version: string) => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 18 || (major === 18 && minor >= 8)
}

const entriesBelow = (files: Record<string, string>, directory: string, recursive: boolean): Entry[] => {
  const entries = new Map<string, Entry>()
  for (const [path, content] of Object.entries(files)) {
    if (!path.startsWith(directory)) continue
    const parts = path.slice(directory.length).split('/')
    const depth = recursive ? parts.length : 1
    for (let index = 0; index < depth; index++) {
      const isFile = index === parts.length - 1
      const full = directory + parts.slice(0, index + 1).join('/') + (isFile ? '' : '/')
      const name = parts[index]!
      if (isFile)
        entries.set(full, { name, path: full, type: 'file', size: bytesOf(content).length, mode: '100644' })
      else if (!entries.has(full)) entries.set(full, { name, path: full, type: 'directory', mode: '040755' })
    }
  }
  return [...entries.values()]
}

const serveFile = (call: Call, files: Record<string, string>, path: string): Reply => {
  const content = Object.hasOwn(files, path) ? files[path] : undefined
  if (content === undefined) throw refuse(404, '404 Not Found')
  const type = MIME[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  const disposition = `attachment; filename="${path.split('/').at(-1)}"`
  return ranged(call, bytesOf(content), { 'content-type': type, 'content-disposition': disposition })
}

const tree = (call: Call) => {
  // Before 18.8 this path is the route of a single file called "tree".
  if (!hasTree(call.state.version)) return serveFile(call, archive(call), 'tree')
  const files = archive(call)
  const path = (queryText(call, 'path') ?? '').replace(/\/+$/, '')
  const directory = path === '' ? '' : `${path}/`
  const entries = entriesBelow(files, directory, queryFlag(call, 'recursive'))
  if (entries.length === 0) throw notFound('Path')
  return paged(call, entries, entry => entry)
}

export const artifactOperations: Operations = {
  download_job_artifacts: call => {
    const job = jobOf(call)
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${job.plan.name}-artifacts.zip"`
    }
    const { storage } = call.state
    if (!storage) return ranged(call, zipOf(archive(call)), headers)
    archive(call)
    return {
      status: 302,
      headers: { location: `${storage}/artifacts/${job.id}.zip?X-Amz-Signature=sandbox` }
    }
  },
  list_job_artifacts_tree: tree,
  get_job_artifact_file: call => {
    const path = call.params.artifact_path ?? ''
    if (path.startsWith('/') || path.includes('//')) throw badRequest('Invalid path')
    return serveFile(call, archive(call), path)
  }
}
