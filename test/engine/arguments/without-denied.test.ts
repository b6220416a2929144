import t from 'tap'
import { withoutDenied } from '../../../src/engine/arguments/without-denied.ts'

const denied = new Set(['find_users', 'list_pipelines', 'list_labels'])
const said = (text: string) => withoutDenied(text, name => denied.has(name))

t.test('a clause that refers to a denied tool is left out, and the others stay', async t => {
  t.equal(
    said('No user has username "ada". Nothing was done. find_users finds people by name.'),
    'No user has username "ada". Nothing was done.'
  )
  t.equal(said('It names nobody; find_users finds people by name.'), 'It names nobody.')
  t.equal(said('Not "x": list_pipelines has it. Look there.'), 'Not "x". Look there.')
  t.equal(said('It names nobody; list_members has them.'), 'It names nobody; list_members has them.')
})

t.test('where a value comes from is left out of its clause', async t => {
  t.equal(
    said('pipeline_id must be a number, as list_pipelines gives it, not "latest".'),
    'pipeline_id must be a number, not "latest".'
  )
})

t.test('what a caller has written may name a denied tool', async t => {
  for (const text of ['Gone: "a \\" find_users; b".', 'There is none; did you mean "list_labels"?'])
    t.equal(said(text), text)
})

t.test('that a tool is switched off is said, also in the middle of what is said of several', async t => {
  const text =
    'Nothing was done. issues.0 (#1): it is a label, and find_users is switched off on this server.'
  t.equal(said(text), text)
})

t.test('what is wrong is said, even if it names a denied tool', async t => {
  t.equal(said('find_users is mistyped; list_labels has it.'), 'find_users is mistyped.')
})

t.test('a quotation mark that is never closed quotes nothing', async t => {
  t.equal(said('label 19" is invalid. list_labels has those there are.'), 'label 19" is invalid.')
})
