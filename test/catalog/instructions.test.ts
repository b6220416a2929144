import t from 'tap'
import { instructions, instructionsOfOne } from '../../src/catalog/instructions.ts'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import { dependencyProxy } from '../../tools/dependency-proxy/index.ts'
import { toolsets } from '../../tools/index.ts'
import { issues } from '../../tools/issues/index.ts'
import { mergeRequests } from '../../tools/merge-requests/index.ts'
import { pipelines } from '../../tools/pipelines/index.ts'
import { initialize, post, testServer } from '../support/server.ts'

const rows: ToolRow[] = [mergeRequests, issues, pipelines, dependencyProxy].flatMap(({ rows }) => rows)

t.test('the instructions explain what the listing leaves to a name', async t => {
  for (const [name, meaning] of [
    ['project_id', /an id, a full path/],
    ['merge_request_iid', /number within the project/],
    ['source_branch', /instead of merge_request_iid/],
    ['milestone_id', /id or title/],
    ['assignee_id', /none or any/],
    ['excluded_file_patterns', /regular expressions/],
    ['per_page', /20, at most 100/],
    ['note_id', /mr_discussions/],
    ['draft_note_id', /list_draft_notes/]
  ] as const) {
    const line = instructions
      .split('\n')
      .find(text => new RegExp(`\\b${name}\\b`).test(text) && meaning.test(text))
    t.ok(line, name)
  }
})

t.test('every name in the instructions is one of a tool, an argument or a field', async t => {
  const known = new Set(['diff_refs'])
  for (const { name, input } of rows) {
    known.add(name)
    for (const [argument, schema] of Object.entries(
      input.properties as Record<string, { properties?: object }>
    ))
      for (const field of [argument, ...Object.keys(schema.properties ?? {})]) known.add(field)
  }
  t.same(
    (instructions.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? []).filter(name => !known.has(name)),
    []
  )
})

t.test('where a project stands in, the instructions name what is one’s own without it', async t => {
  const lists = toolsets
    .flatMap(({ rows }) => rows)
    .filter(({ name, noProject }) => noProject === true && name.startsWith('list_'))
  t.ok(lists.length > 0)
  const said = instructionsOfOne.split('stands in').at(-1)!.toLowerCase()
  t.same(
    lists.map(({ name }) => name.replace('list_', '')).filter(noun => !said.includes(noun)),
    []
  )
})

t.test('the instructions are short, for every model reads them', async t => {
  t.ok(Buffer.byteLength(instructions) < 2000)
})

t.test('a session begins with the instructions', async t => {
  const server = await testServer(t)
  t.equal((await post(server, { body: initialize() })).json().result.instructions, instructions)
})
