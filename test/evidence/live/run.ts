import { Catalog } from '../../../src/catalog/catalog.ts'
import type { ToolRow } from '../../../src/catalog/row.ts'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import { callerOf } from '../../support/sandbox-tools.ts'
import { requiredOf, valueFor } from '../support/arguments.ts'
import { rows, toolsets } from '../support/toolsets.ts'
import { type Ask, type Known, seed } from './seed.ts'
import { Wire } from './wire.ts'

export interface LiveOptions {
  /** With /api/v4. */
  apiUrl: string
  token: string
  /** The full path of a group that is empty and stays so. */
  namespace: string
  print: (line: string) => void
}

/** What a live run is refused for: nothing was done. */
export class Refusal extends Error {}

const turns = { read: 0, write: 1, destructive: 2 }

/**
 * Works every tool once against a real forge, in a project of its own in an empty group, prints what differed from
 * the contract, and deletes the project.
 * @throws Refusal where the group is not there or not empty
 */
export async function runLive({ apiUrl, token, namespace, print }: LiveOptions): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { 'private-token': token, 'content-type': 'application/json' }
    const answer = await fetch(apiUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: answer.status, value: /^[[{]/.test(text) ? JSON.parse(text) : text }
  }
  const group = `/groups/${encodeURIComponent(namespace)}`
  const found = await send('GET', group)
  if (found.status !== 200)
    throw new Refusal(`${namespace} is no group that this token sees (${found.status})`)
  for (const what of ['projects?include_subgroups=true', 'subgroups']) {
    const { status, value } = await send('GET', `${group}/${what}`)
    if (status !== 200 || value.length > 0)
      throw new Refusal(
        `${namespace} is not empty: name a group that was made for this and has nothing in it`
      )
  }

  const name = `forge-tool-server-live-${Date.now()}`
  const made = await send('POST', '/projects', {
    name,
    path: name,
    namespace_id: found.value.id,
    visibility: 'private'
  })
  if (made.status !== 201) throw new Refusal(`no project could be made in ${namespace} (${made.status})`)
  const project: string = made.value.path_with_namespace
  print(`Made ${project}`)
  try {
    const ask: Ask = async (method, path, body) => {
      const { status, value } = await send(method, path, body)
      if (status >= 300)
        print(
          `| seed | ${method} ${path.replace(/^\/projects\/[^/]+/, '')} | ${status} ${JSON.stringify(value).slice(0, 120)} |`
        )
      return status < 300 ? value : undefined
    }
    print('| Tool | Outcome | Differs from the contract |')
    print('|---|---|---|')
    const known = await seed(ask, project)
    await workTools({ apiUrl, token, print, namespace, known })
  } finally {
    const { status } = await send('DELETE', `/projects/${made.value.id}`)
    print(status < 300 ? `Deleted ${project}` : `${project} is still there (${status}): delete it by hand`)
  }
}

interface Work extends LiveOptions {
  known: { mergeRequests: Known; issues: Known }
}

async function workTools({ apiUrl, token, namespace, print, known }: Work): Promise<void> {
  const wire = new Wire()
  const patterns = new PatternMatcher()
  const catalog = new Catalog()
  for (const toolset of toolsets) catalog.add(toolset)
  const { dispatcher } = wire
  const call = callerOf({
    apiUrl,
    token,
    name: 'live',
    catalog,
    dispatcher,
    patterns,
    downloadDir: '/nonexistent'
  })
  for (const row of [...rows].sort((a, b) => turns[a.class] - turns[b.class])) {
    wire.seen.clear()
    const values = { group_id: namespace, ...(/issue/.test(row.name) ? known.issues : known.mergeRequests) }
    const { error } = await call(row.name, argumentsOf(row, values)).catch(fault => ({
      error: String(fault)
    }))
    const differs = [...wire.seen].flatMap(([key, { unknown, missing }]) => [
      ...(unknown.size > 0 ? [`${key} also has ${[...unknown].join(', ')}`] : []),
      ...(missing.size > 0 ? [`${key} lacks ${[...missing].join(', ')}`] : [])
    ])
    const statuses = [...wire.seen.values()].flatMap(({ statuses }) => [...statuses])
    const outcome = error === undefined ? 'ok' : `${statuses.join(' ')} ${error.slice(0, 120)}`
    print(`| ${row.name} | ${outcome.replaceAll('|', '/').replaceAll('\n', ' ')} | ${differs.join('; ')} |`)
  }
  await Promise.all([patterns.close(), wire.close()])
}

/** What a tool must be given, from what is known; where it needs one of several, the first that is known. */
function argumentsOf(row: ToolRow, known: Known): Record<string, unknown> {
  const { required, properties } = requiredOf(row)
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
