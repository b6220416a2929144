import t from 'tap'
import { PatternMatcher } from '../../../src/engine/patterns.ts'
import { isNamespace, parseTemplates } from '../../../src/engine/requests/template.ts'
import type { ToolRow } from '../../../src/engine/rows/row.ts'
import { sampleArguments } from '../../support/sample-arguments.ts'
import { addresses, allRows, callAt } from '../../support/things-by-web-url.ts'

/* Addresses of a part of a thing, given to each tool that does something to the whole thing. */

const project_id = 'acme/rocket'

/** What a tool acts on: what alone is in its path, or of other tools the number that they take. */
function actsOn(row: ToolRow): string {
  const names =
    row.kind === 'rest'
      ? [row.request].flat().flatMap(parseTemplates)[0]!.names
      : Object.keys(row.input.properties).filter(name => name.endsWith('iid'))
  const [name = '', ...more] = names.filter(name => !isNamespace(name))
  return more.length === 0 ? name : ''
}

const texts = ['title', 'name', 'description', 'content', 'patch']
const textsOf = ({ input }: ToolRow) => texts.filter(name => name in input.properties)

const acting = allRows.filter(row => addresses.has(actsOn(row)))
const deleting = acting.filter(row => row.class === 'destructive')
const replacing = acting.filter(row => /^update_/.test(row.name) && textsOf(row).length > 0)

/** Places on the page of a thing, which say where in it a reader was. */
const places = ['#related-issues', '#linkeditems', '#activity', '#designs', '#/', '#description', '.json']
/** What is shown within the text of a thing. */
const passages = ['#steps', '#user-content-steps', '#:~:text=Burn']
const parts = ['#note_5', '#design_1', '#L3', '/designs/a.png', '/discussions.json', '?version_id=abc']
/** Parts that are texts or lines, which have no title and are not merged. */
const ofTexts = ['#note_5', '#L3']
const whole = [
  '',
  ...places,
  '/edit',
  '/designs',
  '/artifacts/download',
  '?sort=created_asc&label_name[]=bug',
  '?iid_path=true'
]
/** What ends in a name takes whatever comes after it for more of that. */
const hasTabs = (row: ToolRow) => !/^(?:slug|tag_name)$/.test(actsOn(row))
const endsOf = (row: ToolRow, ends: readonly string[]) =>
  ends.filter(end => hasTabs(row) || !end.startsWith('/'))

const patterns = new PatternMatcher()
t.teardown(() => patterns.close())

const call = (row: ToolRow, args: object) => callAt(row, args, patterns)

/** Calls with an address of what a tool acts on, in each place that takes one, beside some of its arguments. */
const callsAt = (row: ToolRow, ends: readonly string[], names: readonly string[]) => {
  const name = actsOn(row)
  const { [name]: _, ...others } = sampleArguments(row.input, names)
  return endsOf(row, ends).flatMap(end => {
    const address = addresses.get(name)! + end
    const elsewhere = [
      { ...others, project_id: address },
      { ...others, project_id, url: address }
    ]
    // Of a milestone the address itself is looked up.
    const isTaken = name !== 'milestone_id'
    return [{ ...others, project_id, [name]: address }, ...(isTaken ? elsewhere : [])]
  })
}

const isRefusal = (error: string) => / is the address of .*: .*for the .* itself leave out /.test(error)

/** What was done, or refused for another reason, although it should be refused. */
async function done(row: ToolRow, names: readonly string[], of = parts): Promise<readonly string[]> {
  const found: string[] = []
  for (const args of callsAt(row, of, names)) {
    const { sent, error } = await call(row, args)
    if (sent > 0 || !isRefusal(error)) found.push(`${row.name} ${JSON.stringify(args)}: ${error}`)
  }
  return found
}

const others = parts.filter(part => !ofTexts.includes(part))
const isDeletion = ({ name }: ToolRow) => name.startsWith('delete_')
const ofThing = ['title', 'name']

t.test('deletes and merges nothing whose address names a part of it', async t => {
  t.ok(deleting.length >= 10, `${deleting.length} tools`)
  for (const row of deleting)
    t.same(await done(row, ['confirm'], isDeletion(row) ? parts : others), [], row.name)
})

t.test('merges and renames at the address of a comment or line, which has neither', async t => {
  const calls = [
    ...deleting.filter(row => !isDeletion(row)).map(row => [row, 'confirm'] as const),
    // A milestone has neither comments nor lines.
    ...replacing
      .filter(row => actsOn(row) !== 'milestone_id')
      .flatMap(row =>
        textsOf(row)
          .filter(text => ofThing.includes(text))
          .map(text => [row, text] as const)
      )
  ]
  for (const [row, name] of calls)
    for (const args of callsAt(row, ofTexts, [name])) {
      const { sent, error } = await call(row, args)
      t.ok(sent > 0, `${row.name} ${JSON.stringify(args)}: ${error}`)
    }
})

t.test('replaces no text of a thing whose address names a part of it', async t => {
  t.ok(replacing.length >= 7, `${replacing.length} tools`)
  for (const row of replacing)
    for (const text of textsOf(row))
      t.same(await done(row, [text], ofThing.includes(text) ? others : parts), [], `${row.name} ${text}`)
})

t.test('takes the address of a tab, or of a page as it is shown, for that of the thing', async t => {
  for (const row of [...deleting, ...replacing]) {
    const refused: string[] = []
    for (const args of callsAt(row, whole, ['confirm', ...textsOf(row).slice(0, 1)])) {
      const { sent, error } = await call(row, args)
      if (sent === 0) refused.push(`${JSON.stringify(args)}: ${error}`)
    }
    t.same(refused, [], row.name)
  }
})

t.test('deletes, merges, renames and patches at the address of a passage', async t => {
  const patching = allRows.filter(({ name }) => name === 'update_issue_description_patch')
  const names = ['confirm', 'patch', 'patch_type', 'dry_run', ...ofThing]
  // A wiki page is its text, and a milestone is looked up before it is known what is done to it.
  const isOfTexts = (row: ToolRow) => /^(?:slug|milestone_id)$/.test(actsOn(row))
  const calls = [...deleting, ...replacing.filter(row => textsOf(row).some(text => ofThing.includes(text)))]
  for (const row of [...calls.filter(row => !isOfTexts(row)), ...patching])
    for (const args of callsAt(row, passages, names)) {
      const { error } = await call(row, args)
      t.notOk(isRefusal(error), `${row.name} ${JSON.stringify(args)}: ${error}`)
    }
})

t.test('replaces no whole text at the address of a passage of it', async t => {
  for (const row of replacing)
    for (const text of textsOf(row).filter(text => !ofThing.includes(text) && text !== 'patch'))
      t.same(await done(row, [text], passages), [], `${row.name} ${text}`)
})

t.test('deletes no wiki page at the address of one of its sections', async t => {
  const [row] = allRows.filter(({ name }) => name === 'delete_wiki_page')
  t.same(await done(row!, [], passages), [])
})
