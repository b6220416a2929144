import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import type { Toolset } from '../../src/engine/rows/toolset.ts'
import { problemResult, resultJson, type ToolResult } from '../../src/results/result.ts'
import type { CredentialKind } from '../../src/session/credential.ts'
import { checkRequest } from '../forge/contract.ts'
import { parsedText, toolRunner } from './run-tool.ts'
import { ScriptedDispatcher, type ScriptedReply } from './scripted-dispatcher.ts'
import { textsOf } from './texts.ts'

/** One upstream exchange that a call is expected to make. */
export interface Exchange {
  /** Method and path below /api/v4 with the query, exactly as sent: `GET /projects/1/issues?state=opened`. */
  request: string
  /** Expected JSON body. */
  body?: unknown
  /** The forge's reply; default 200 with a record that has an id. */
  reply?: ScriptedReply
  /** Set if the request is known not to be in the published contract. The case's title says why. */
  outsideContract?: boolean
}

/** A row of a toolset's table: arguments → requests → replies → result. */
export interface Case {
  /** A sentence of behaviour. */
  title: string
  tool: string
  args: Record<string, unknown>
  exchanges?: Exchange[]
  /** Expected first content block: a JSON value, or a text if the tool answers with text. */
  result?: unknown
  text?: string
  /** Expected error text: the whole text, or a pattern. If there is a result too, the error comes after it. */
  error?: string | RegExp
  /** Expected further content blocks, parsed if they are JSON. */
  notices?: unknown[]
  /** Expected content blocks other than text. */
  blocks?: unknown[]
  /** Expected structuredContent, for tools that declare an output schema. */
  structured?: unknown
  settings?: {
    defaultProject?: string
    output?: 'compact' | 'full'
    maxChars?: number
    downloadDir?: string
    /** The caller; default ada. */
    caller?: string
    /** How its credential is sent; default private-token. */
    kind?: CredentialKind
    /** The day of the call in UTC, as YYYY-MM-DD; default the machine's. */
    today?: string
  }
}

/** Runs every case of a table, and checks each request against the published contract. */
export function runTable(toolset: Toolset, cases: readonly Case[]): void {
  const patterns = new PatternMatcher()
  t.teardown(() => patterns.close())
  for (const row of cases) {
    t.test(`${row.tool}: ${row.title}`, async t => {
      const { today } = row.settings ?? {}
      if (today !== undefined) t.intercept(Date, 'now', { value: () => Date.parse(`${today}T12:00Z`) })
      const { result, sent } = await run(toolset, row, patterns)
      const expected = row.exchanges ?? []
      t.same(
        sent.map(({ method, path, body }) => ({ request: `${method} ${path.replace('/api/v4', '')}`, body })),
        expected.map(({ request, body }) => ({ request, body })),
        'the forge is asked exactly this'
      )
      for (const [at, { method, path, body }] of sent.entries())
        if (!expected[at]?.outsideContract)
          t.same(checkRequest({ method, url: path, body }), [], 'the published contract allows the request')
      checkResult(t, result, row)
    })
  }
}

async function run(
  toolset: Toolset,
  { tool, args, exchanges = [], settings = {} }: Case,
  patterns: PatternMatcher
) {
  const { defaultProject = '', today: _, ...parts } = settings
  const dispatcher = new ScriptedDispatcher(exchanges.map(({ reply }) => reply ?? { body: { id: 1 } }))
  const catalog = new Catalog({ defaultProject })
  catalog.add(toolset)
  const run = await toolRunner({ ...parts, catalog, dispatcher, patterns })(tool, args)
  if (run.outcome === 'fault') throw run.error
  const result = run.outcome === 'ok' ? run.result : problemResult(run.problem, run.error)
  return { result, sent: dispatcher.sent }
}

function checkResult(t: Test, result: ToolResult, row: Case): void {
  const [first, ...rest] = textsOf(result)
  if (row.error !== undefined) {
    t.equal(result.isError, true, 'the result is an error')
    const said = row.result === undefined ? first : rest[0]
    if (row.result !== undefined) t.same(JSON.parse(first!), row.result)
    if (typeof row.error === 'string') t.equal(said, row.error)
    else t.match(said, row.error)
    return
  }
  t.notOk(result.isError, `no error: ${first}`)
  if (row.result !== undefined) t.same(JSON.parse(first!), row.result)
  if (row.text !== undefined) t.equal(first, row.text)
  if (row.blocks !== undefined)
    t.same(
      result.content.filter(({ type }) => type !== 'text'),
      row.blocks
    )
  if (row.structured !== undefined) t.same(JSON.parse(resultJson(result)).structuredContent, row.structured)
  if (row.notices !== undefined) t.same(rest.map(parsedText), row.notices)
}
