import { LEVEL, projectOf } from '../access.ts'
import type { FormFile } from '../form.ts'
import { type Call, created, notFound, type Operations } from '../http.ts'

/** The name of an upload as GitLab keeps it: only letters, digits, `.`, `_`, `-` and `+`. */
const safe = (name: string) => name.replace(/[^\p{L}\p{N}._+-]/gu, '_')

const upload = (call: Call) => {
  const project = projectOf(call, LEVEL.reporter)
  const { filename, bytes } = call.body.file as unknown as FormFile
  const id = call.state.nextId('upload')
  const secret = call.state.hash('upload', project.id, id).slice(0, 32)
  const fileName = safe(filename)
  project.repository.uploads.set(secret, { id, fileName, bytes })
  const url = `/uploads/${secret}/${fileName}`
  const alt = fileName.replace(/\.[^.]*$/, '')
  const isImage = /\.(png|jpe?g|gif|webp|svg)$/i.test(fileName)
  return created({
    id,
    alt,
    url,
    full_path: `/-/project/${project.id}${url}`,
    markdown: `${isImage ? '!' : ''}[${isImage ? alt : fileName}](${url})`
  })
}

export const uploadOperations: Operations = {
  upload_project_file: upload,
  get_project_upload: call => {
    const found = projectOf(call).repository.uploads.get(call.params.secret ?? '')
    if (!found || found.fileName !== call.params.filename) throw notFound('File')
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${encodeURIComponent(found.fileName)}"`
    }
    return { status: 200, headers, body: found.bytes }
  }
}
