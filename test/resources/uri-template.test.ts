import t from 'tap'
import { uriTemplate } from '../../src/resources/uri-template.ts'
import { cpuMsOf } from '../support/event-loop.ts'

const file = uriTemplate('forge://projects/{project_id}/files/{ref}/{+path}')

t.test('a URI is made of values and gives them back, whatever is in them', async t => {
  for (const values of [
    { project_id: 'acme/rocket', ref: 'feature/new fins', path: 'docs/a b/c%20d.md' },
    { project_id: '8', ref: 'v1.0', path: 'what?/#1 (copy).txt' },
    { project_id: 'ä/ö', ref: "it's", path: '{+path}' }
  ])
    t.same(file.match(file.expand(values)), values)
  t.equal(
    file.expand({ project_id: 'acme/rocket', ref: 'a/b', path: 'src/x y.ts' }),
    'forge://projects/acme%2Frocket/files/a%2Fb/src/x%20y.ts'
  )
})

t.test('a client that expands by RFC 6570 is understood: in {+path} what is reserved stays', async t => {
  t.match(file.match('forge://projects/8/files/main/a?b#c/d'), { path: 'a?b#c/d' })
  t.match(file.match('forge://projects/8/files/main/a%3Fb'), { path: 'a?b' })
})

t.test('what is of another form is none', async t => {
  for (const uri of [
    'forge://projects/acme/rocket/files/main/x',
    'forge://projects/8/files/main/',
    'forge://projects/8/files/main',
    'forge://projects//files/main/x',
    'forge://projects/8/files/%ZZ/x',
    'forge://projects/8/files/main/%E0%A4',
    'xforge://projects/8/files/main/x',
    'FORGE://projects/8/files/main/x'
  ])
    t.equal(file.match(uri), undefined, uri)
})

t.test('a long URI that nearly fits is told apart at once', async t => {
  const took = await cpuMsOf(() => {
    for (let n = 0; n < 100; n++)
      file.match(`forge://projects/${'%2F'.repeat(2_500)}/files/${'x/'.repeat(100)}`)
  })
  t.ok(took < 1_000, `${took} ms`)
})

t.test('a template that is more than this stops the start', async t => {
  t.throws(() => uriTemplate('forge://{+path}/x'), /before its end/)
  t.throws(() => uriTemplate('forge://{?page}'), /not a URI template/)
})
