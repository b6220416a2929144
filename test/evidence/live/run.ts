import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { fasterClock } from '../../support/run-tool.ts'
import { callerOf } from '../../support/sandbox-tools.ts'
import { type Attempt, heeding, requiredOf, valueFor } from '../support/arguments.ts'
import { rows, toolsets } from '../support/toolsets.ts'
import { fresh, given, inOrder, learned, untouched } from './plan.ts'
import { type Ask, type Known, seed } from './seed.ts'
import { Wire } from './wire.ts'

interface LiveOptions {
  /** With /api/v4. */
  apiUrl: string
  token: string
  /** The full path of a group that is empty and stays so. */
  namespace: string
  print: (line: string) => void
}

/** What a live run is refused for: nothing was done. */
export class Refusal extends Error {}

/**
 * Works every tool once against a real forge, in a project of its own in an empty group, prints what differed from
 * the contract, and deletes what was made in the group.
 * @throws Refusal where the group is not there or not empty
 */
export async function runLive(options: LiveOptions): Promise<void> {
  const { namespace, print } = options
  const send = sender(options)
  const group = `/groups/${encodeURIComponent(namespace)}`
  const found = await send('GET', group)
  if (found.status !== 200)
    throw new Refusal(`${namespace} is no group that this token sees (${found.status})`)
  if ((await standing(send, group)).length > 0)
    throw new Refusal(`${namespace} is not empty: name a group that was made for this and has nothing in it`)

  const name = `forge-tool-server-live-${Date.now()}`
  const body = { name, path: name, namespace_id: found.value.id, visibility: 'private' }
  const made = await send('POST', '/projects', body)
  if (made.status !== 201) throw new Refusal(`no project could be made in ${namespace} (${made.status})`)
  const project: string = made.value.path_with_namespace
  print(`Made ${project}`)
  try {
    const ask: Ask = async (method, path, body) => {
      const { status, value } = await send(method, path, body)
      const where = path.replace(/^\/projects\/[^/]+/, '')
      if (status >= 300)
        print(`| seed | ${method} ${where} | ${status} ${JSON.stringify(value).slice(0, 120)} |`)
      return status < 300 ? value : undefined
    }
    print('| Tool | Outcome | Differs from the contract |')
    print('|---|---|---|')
    const known = await seed(ask, project)
    await workTools({ ...options, ask, known })
  } finally {
    for (const { path, what } of await standing(send, group)) {
      const { status } = await send('DELETE', path)
      print(status < 300 ? `Deleted ${what}` : `${what} is still there (${status}): delete it by hand`)
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: records of every kind are looked into
type Send = (method: string, path: string, body?: unknown) => Promise<{ status: number; value: any }>

const sender =
  ({ apiUrl, token }: LiveOptions): Send =>
  async (method, path, body) => {
    const headers = { 'private-token': token, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(apiUrl + path, { method, headers, ...sent })
    const text = await answer.text()
    return { status: answer.status, value: /^[[{]/.test(text) ? JSON.parse(text) : text }
  }

/** What stands in a group; a forge keeps for a while what was deleted, and that counts for nothing. */
async function standing(send: Send, group: string): Promise<{ path: string; what: string }[]> {
  const all: { path: string; what: string }[] = []
  for (const [list, kind] of [
    ['projects?include_subgroups=true&per_page=100', 'projects'],
    ['subgroups?per_page=100', 'groups']
  ]) {
    const { status, value } = await send('GET', `${group}/${list}`)
    if (status !== 200) throw new Refusal(`what is in the group is not told (${status})`)
    for (const { id, path_with_namespace, full_path, marked_for_deletion_on } of value)
      if (!marked_for_deletion_on)
        all.push({ path: `/${kind}/${id}`, what: path_with_namespace ?? full_path })
  }
  return all
}

interface Work extends LiveOptions {
  ask: Ask
  known: { mergeRequests: Known; issues: Known }
}

/** How often a call is put right as its refusal says. */
const HEEDED = 5

async function workTools({ apiUrl, token, namespace, print, ask, known }: Work): Promise<void> {
  const wire = new Wire()
  const patterns = new PatternMatcher()
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const { dispatcher } = wire
  const downloadDir = await mkdtemp(`${tmpdir()}/forge-live-`)
  const parts = { apiUrl, token, name: 'live', catalog, dispatcher, patterns, downloadDir }
  const call = callerOf({ ...parts, clock: fasterClock(1), deadlineMs: 30_000 })
  const project = String(known.issues.project_id)
  const made: Known = { group_id: namespace, web_url: `${apiUrl.replace(/\/api\/v4$/, '')}/${project}` }
  for (const row of inOrder(rows)) {
    const tell = (outcome: string, differs = '') =>
      print(`| ${row.name} | ${outcome.replaceAll('|', '/').replaceAll('\n', ' ')} | ${differs} |`)
    const why = untouched[row.name]
    if (why !== undefined) {
      tell(`not worked: ${why}`)
      continue
    }
    const values: Known = { ...(/issue/.test(row.name) ? known.issues : known.mergeRequests), ...made }
    const at = `/projects/${encodeURIComponent(String(values.project_id))}`
    Object.assign(values, await fresh[row.name]?.(ask, at, values))
    wire.seen.clear()
    let attempt: Attempt | undefined = { args: argumentsOf(row, values) }
    let { value, error } = await call(row.name, attempt.args).catch(failed)
    for (let tries = 0; error !== undefined && wire.seen.size === 0 && tries < HEEDED; tries++) {
      attempt = heeding(row, attempt, error)
      if (attempt === undefined) break
      ;({ value, error } = await call(row.name, attempt.args).catch(failed))
    }
    if (error === undefined) Object.assign(made, learned[row.name]?.(value))
    const statuses = [...wire.seen.values()].flatMap(({ statuses }) => [...statuses])
    tell(error === undefined ? 'ok' : `${statuses.join(' ')} ${error.slice(0, 120)}`, wire.differences())
  }
  await Promise.all([patterns.close(), wire.close(), rm(downloadDir, { recursive: true })])
}

const failed = (fault: unknown): { value?: unknown; error?: string } => ({ error: String(fault) })

/** What a tool is to be given, or must have, from what is known. */
function argumentsOf(row: ToolRow, known: Known): Record<string, unknown> {
  const { required, properties } = requiredOf(row)
  const project = 'project_id' in properties ? { project_id: known.project_id } : {}
  const own = given[row.name]?.(known)
  if (own !== undefined)
    return { ...(required.includes('project_id') || !('group_id' in own) ? project : {}), ...own }
  const names = new Set(required)
  for (const name of ['project_id', 'merge_request_iid', 'issue_iid', 'ref'])
    if (name in properties) names.add(name)
  const words =
    row.class === 'write' && ['title', 'body', 'description', 'note'].find(name => name in properties)
  if (words) names.add(words)
  return Object.fromEntries(
    [...names].flatMap(name => {
      const { type } = properties[name]!
      const value = known[name] ?? valueFor(name, properties[name]!)
      if (type === 'integer' && !Number.isInteger(Number(value))) return []
      return [[name, type === 'string' ? String(value) : value]]
    })
  )
}
