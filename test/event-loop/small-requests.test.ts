import t from 'tap'
import { findTool } from '../../src/calls/find-tool.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { CompletionCache } from '../../src/completions/cache.ts'
import { matching } from '../../src/completions/source.ts'
import { argumentReader } from '../../src/engine/arguments/arguments.ts'
import { checkNoneMisplaced } from '../../src/protocol/methods/misplaced-arguments.ts'
import { checkSpelling } from '../../src/protocol/transport/narrowing.ts'
import { toolsets } from '../../tools/index.ts'
import { type HeldRow, holdNoLonger } from '../support/event-loop.ts'

/*
 * The same as in requests-and-texts.test.ts of small requests, which cost little to send: what is not there is compared with what is.
 * Each is done a hundred times.
 */

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)
const view = catalog.policy.viewOf(['all'])
const allRows = toolsets.flatMap(({ rows }) => rows)

const REPEATED = 100
const repeated = (run: () => unknown) => () => {
  for (let at = 0; at < REPEATED; at++)
    try {
      run()
    } catch {
      // It is refused.
    }
}
const named = <Value>(count: number, nameOf: (at: number) => string, value: Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [nameOf(at), value]))
const calling = (tool: string, args: object) => {
  const { input } = allRows.find(({ name }) => name === tool) as {
    input: Parameters<typeof argumentReader>[0]
  }
  const read = argumentReader(input)
  return () => read(args)
}

const cache = new CompletionCache()
const list = `caller ${JSON.stringify('\u0001'.repeat(255))}`
cache.keep(list, 'a', { candidates: [], isWhole: true }, 'a')
const projects = Array.from({ length: 50 }, (_, at) => ({ value: `acme/rocket-${at}`, title: undefined }))
const astray = { name: 'a', ...named(480, at => `k${at}`.padEnd(105, 'argument'), {}) }
const headers = named(180, at => `x-forge-${at}${'q'.repeat(68)}`, '1')

const rows: HeldRow[] = [
  ...['aB'.repeat(50), 'a_'.repeat(50), '1pr1mr'.repeat(17), 'x'.repeat(100)].map(
    (name): HeldRow => [`tools named ${name.slice(0, 6)}…`, 6, () => findTool(catalog, name, view, name)]
  ),
  ['long texts typed on where an answer is kept', 1, () => cache.find(list, `a${'\u0130b'.repeat(127)}`)],
  [
    'letters that grow typed where some projects are served',
    1,
    () => matching(projects, '\u0130'.repeat(255))
  ],
  ['objects beside the name of a tool', 4, () => checkNoneMisplaced(astray, () => undefined)],
  [
    'arguments of many capital letters',
    9,
    calling('update_issues', {
      project_id: '1',
      issues: Array.from({ length: 50 }, (_, at) => ({
        issue_iid: `${at}`,
        ...named(17, other => `${other}${'aB'.repeat(28)}`, 1)
      }))
    })
  ],
  ['headers near to nothing', 3, () => checkSpelling(headers, true)]
].map(([title, tens, run]) => [title, tens, repeated(run as () => unknown)] as HeldRow)

t.test('no small request is dear because of the names and words in it', t => holdNoLonger(t, rows))
