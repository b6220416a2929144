import t from 'tap'
import { filesOf, textOf } from '../support/sources.ts'

/** Names that two files give to what each of two standards calls so. */
const same = new Map([['invalidRequest', 'OAuth and JSON-RPC each have an error of this name']])

t.test('what a file of src/ exports, also a type, has a name that no other file there exports', async t => {
  const files = new Map<string, string[]>()
  for (const file of filesOf('src'))
    for (const [, name] of textOf(file).matchAll(
      /^export (?:async )?(?:function\*?|const|let|(?:abstract )?class|type|interface) ([\w$]+)/gm
    ))
      files.set(name!, [...(files.get(name!) ?? []), file])
  t.same(
    [...files].flatMap(([name, of]) =>
      of.length > 1 && !same.has(name) ? [`${name}: ${of.join(', ')}`] : []
    ),
    []
  )
  t.same(
    [...same.keys()].filter(name => (files.get(name)?.length ?? 0) < 2),
    [],
    'which stand here are still two'
  )
})

const otherThanMax =
  /\bconst ((?:MOST|MUCH|LIMIT|FEW|FEWEST|LEAST|(?:LONG|SHORT|WID|DEEP|DEAR|LARG|SMALL|HIGH|LOW)EST)(?:_\w+)?)\b/g

t.test('a constant that is the most or the least of something begins with MAX_ or MIN_', async t => {
  t.same(
    filesOf('src', 'plugins', 'tools', 'prompts', 'resources', 'completions').flatMap(file =>
      [...textOf(file).matchAll(otherThanMax)].map(([, name]) => `${file}: ${name}`)
    ),
    []
  )
})
