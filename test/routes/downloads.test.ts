import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { listen } from '../support/listen.ts'
import { call, OTHER_TOKEN, post, TOKEN, testServer } from '../support/server.ts'

t.test('callers and forges have folders of their own for downloads', async t => {
  const downloads = await mkdtemp(join(tmpdir(), 'downloads-'))
  t.teardown(() => rm(downloads, { recursive: true }))
  const [home, other] = await Promise.all(
    ['home', 'other'].map(name =>
      listen(t, (_request, response) => {
        response.setHeader('content-type', 'application/zip')
        response.end(name)
      })
    )
  )
  const server = await testServer(t, {
    FORGE_API_URL: home!,
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_TOOLSETS: 'pipelines',
    FORGE_DOWNLOAD_DIR: downloads
  })
  const body = call('download_job_artifacts', { project_id: '1', job_id: '5' })
  const save = async (token: string, headers = {}) => {
    const { result } = (await post(server, { token, headers, body })).json()
    t.notOk(result.isError, result.content[0].text)
    return JSON.parse(result.content[0].text).file_path as string
  }
  const paths = [await save(TOKEN), await save(OTHER_TOKEN), await save(TOKEN, { 'x-forge-api-url': other! })]
  for (const path of paths) t.match(path, /^[0-9a-f]{16}\/artifacts_job_5\.zip$/)
  t.same((await readdir(downloads)).sort(), paths.map(path => path.split('/')[0]).sort())
})
