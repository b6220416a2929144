import { Type } from 'typebox'
import { archiveName } from '../../src/engine/downloads/archive-name.ts'
import { DownloadFolder } from '../../src/engine/downloads/folder.ts'
import { allPages } from '../../src/engine/requests/pages.ts'
import { planner } from '../../src/engine/requests/plan.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { flag, JobId, optional, ProjectId, text, wholeList } from '../../src/engine/rows/fields.ts'
import { custom, type ToolRow } from '../../src/engine/rows/row.ts'
import { isBadAnswer, isStatus } from '../../src/results/failure.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import { listArchive, MAX_ARCHIVE_BYTES } from './archives/archive-listing.ts'
import { readArtifactFile } from './archives/artifact-file.ts'

const oneJob = { project_id: ProjectId, job_id: JobId }
const advice = {
  404: 'Check the path, as list_job_artifacts has it, and job_id, as list_pipeline_jobs does. The job may have no artifacts, or they have expired.'
}

const archive = 'GET /projects/{project_id}/jobs/{job_id}/artifacts'
const planTree = planner({ request: `${archive}/tree` })

export const artifactRows: readonly ToolRow[] = [
  custom({
    name: 'list_job_artifacts',
    class: 'read',
    title: 'Job artifacts',
    summary: 'List files of the artifacts archive.',
    input: Type.Object(
      {
        ...oneJob,
        path: optional(text('Folder in the archive')),
        recursive: optional(flag('And what is below'))
      },
      wholeList
    ),
    idempotent: true,
    advice,
    async run({ path: given, ...args }, { forge }) {
      const path = directoryOf(given ?? '')
      try {
        const { records, notices } = await allPages(
          forge,
          planTree(args, path === '' ? args : { ...args, path })
        )
        return { value: records, notices }
      } catch (error) {
        // Before 18.8 this path means a file called "tree": it is missing, or its content may be anything.
        if (!isStatus(error, [404]) && !isBadAnswer(error) && !(error instanceof CallProblem)) throw error
      }
      const { records, notices } = await listArchive(
        forge,
        requestTo(archive, args),
        path,
        args.recursive === true
      )
      return { value: records, notices }
    }
  }),
  custom({
    name: 'get_job_artifact_file',
    class: 'read',
    title: 'Artifact file',
    summary: 'Get one artifact: text, or base64 if binary.',
    input: Type.Object({ ...oneJob, artifact_path: text('From list_job_artifacts') }),
    idempotent: true,
    advice,
    run(args, context) {
      const { artifact_path: path } = args
      if (path.endsWith('/'))
        throw new ArgumentError('artifact_path', 'is a folder: list_job_artifacts with path lists it')
      return readArtifactFile(context, requestTo(`${archive}/{+artifact_path}`, args), path)
    }
  }),
  custom({
    name: 'download_job_artifacts',
    class: 'read',
    does: ['get_job_artifact_file'],
    saves: true,
    title: 'Download artifacts',
    summary: "Save the archive below the server's download folder.",
    input: Type.Object({
      ...oneJob,
      local_path: optional(text('Folder in it'))
    }),
    idempotent: false,
    advice,
    run({ local_path = '', ...ids }, { forge, downloads }) {
      const folder = DownloadFolder.componentsOf('local_path', local_path)
      const request = { ...requestTo(archive, ids), accept: '*/*', maxBytes: MAX_ARCHIVE_BYTES }
      return forge.stream(request, async ({ body }) => {
        const { path, size } = await downloads.save(
          folder,
          archiveName(ids.job_id),
          zipOnly(body({ heldBytes: 0 }))
        )
        return { value: { success: true, file_path: path, size } }
      })
    }
  })
]

/**
 * A directory without slashes around it.
 * @throws ArgumentError when it climbs out of the archive
 */
function directoryOf(path: string): string {
  const parts = path.split('/').filter(part => part !== '' && part !== '.')
  if (parts.includes('..')) throw new ArgumentError('path', 'must not contain ".."')
  return parts.join('/')
}

/**
 * The first bytes of a zip archive: the header of its first file, or the end record of an empty archive (APPNOTE 4.3.7
 * and 4.3.16).
 */
const beginnings = ['PK\x03\x04', 'PK\x05\x06']

/**
 * Passes an archive on.
 * @throws CallProblem once it turns out not to be a zip archive, or at the end of an empty body
 */
async function* zipOnly(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begins = ''
  for await (const chunk of body) {
    if (begins.length < 4) begins += chunk.toString('latin1', 0, 4 - begins.length)
    if (!beginnings.some(beginning => beginning.startsWith(begins))) throw notZip()
    yield chunk
  }
  if (begins === '') throw new CallProblem('The forge sent an empty archive. Nothing was saved.')
  if (begins.length < 4) throw notZip()
}

const notZip = (): CallProblem =>
  new CallProblem('The forge sent something else than a zip archive. Nothing was saved.')
