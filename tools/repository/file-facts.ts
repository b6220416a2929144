import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { FileSaid } from '../../src/engine/files/file-output.ts'
import type { ReadFile } from '../../src/engine/files/read-file.ts'
import { lfsPointer } from '../families/files/lfs-pointer.ts'

/** The facts that the forge gives about a file in headers, and whether the file is a Git LFS pointer. */
export function fileFacts(file: ReadFile, { path, ref = 'HEAD' }: Arguments): FileSaid {
  const header = (name: string) => textOf(file.headers[`x-gitlab-${name}`])
  const executable = header('execute-filemode')
  const lfs = lfsPointer(file)
  const facts = {
    path: asSaid(header('file-path'), path),
    ref: asSaid(header('ref'), ref),
    blob_id: header('blob-id'),
    commit_id: header('commit-id'),
    last_commit_id: header('last-commit-id'),
    content_sha256: header('content-sha256'),
    executable: executable === undefined ? undefined : executable === 'true',
    lfs
  }
  const mediaType = /\.(?:md|markdown)$/i.test(String(path)) ? 'text/markdown' : undefined
  if (lfs === undefined) return { facts, mediaType }
  return { facts, notices: ['This is a Git LFS pointer: call again with lfs=true for the file itself.'] }
}

/** Decodes a header. Some forges percent-encode it; others send UTF-8, which Node reads as Latin-1. */
function asSaid(header: string | undefined, asked: unknown): unknown {
  if (header === undefined) return asked
  const said = Buffer.from(header, 'latin1').toString('utf8')
  if (said === asked) return asked
  try {
    return decodeURIComponent(said)
  } catch {
    return said
  }
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
