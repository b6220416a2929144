import t from 'tap'
import { otherWay } from '../../../src/catalog/other-servers/other-ways.ts'
import { describeTool } from '../../../src/engine/rows/describe.ts'
import { toolsets } from '../../../tools/index.ts'

const rows = toolsets.flatMap(({ rows }) => rows)
const tools = new Set(rows.map(({ name }) => name))

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z\d]+/g) ?? []

/** Tools for whose words it is said all the same, and why. */
const rightly: Readonly<Record<string, string>> = {
  download_job_artifacts: 'where it is off, as it is over HTTP without a folder',
  list_runners: 'its title has no verb, and what is said is about changes'
}

t.test('of what a tool does it is not said that none does, by the words of its name and title', async t => {
  t.same(
    rows
      .filter(({ name }) => rightly[name] === undefined)
      .flatMap(row => [row.name, describeTool(row).title ?? ''].map(text => [row.name, text] as const))
      .map(([name, text]) => [name, otherWay(wordsOf(text.replaceAll('_', ' ')), tools)] as const)
      .filter(([, says]) => says !== undefined),
    [],
    'src/catalog/other-servers/other-ways.ts or not-here.ts denies it'
  )
})

t.test('a name that may mean what a tool does is left to the search for tools', async t => {
  t.equal(otherWay(['add', 'iteration'], tools), undefined, 'to an item')
  t.match(otherWay(['create', 'iteration'], tools), /^No tool makes iterations/)
})

t.test('of time that is set it is said that the tool for it adds', async t => {
  t.match(
    otherWay(['set', 'time', 'spent'], tools),
    /^No tool sets the time spent: add_spent_time adds to it/
  )
})
