import { createServer, type Server } from 'node:http'
import type { Journal } from './answer.ts'
import { zipOf } from './model/zip.ts'
import { archiveOf } from './present/pipeline.ts'
import type { ForgeState } from './state.ts'

const CREDENTIALS = ['private-token', 'job-token', 'authorization', 'cookie']

/**
 * Object storage on an origin of its own. Artifact downloads redirect here with a signed address (docs: job artifacts,
 * object storage). A request that brings a credential is a breach, because the signature alone gives access.
 */
export const createStorage = (state: ForgeState, journal: Journal): Server =>
  createServer((request, response) => {
    const [path = '', search = ''] = (request.url ?? '').split('?')
    const query = Object.fromEntries(new URLSearchParams(search))
    const { headers, method = 'GET' } = request
    const entry = {
      at: state.now(),
      method,
      path,
      query,
      search,
      headers,
      body: undefined,
      operation: 'object_storage'
    }
    for (const name of CREDENTIALS) {
      if (headers[name] !== undefined)
        journal.violations.push(`object_storage: ${name} was sent to another origin`)
    }
    const id = path.match(/^\/artifacts\/(\d+)\.zip$/)?.[1]
    const jobs = state.projects.flatMap(project => project.pipelines.flatMap(pipeline => pipeline.jobs))
    const job = jobs.find(candidate => String(candidate.id) === id)
    const files = job && query['X-Amz-Signature'] ? archiveOf(job) : undefined
    const status = files ? 200 : 403
    journal.requests.push({ ...entry, status })
    response.writeHead(status, { 'content-type': files ? 'application/zip' : 'application/xml' })
    response.end(files ? zipOf(files) : '<Error><Code>AccessDenied</Code></Error>')
  })
