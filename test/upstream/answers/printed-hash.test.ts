import t from 'tap'
import { withoutPrintedHashes } from '../../../src/upstream/answers/printed-hash.ts'

t.test('what Ruby prints of a record’s errors is written as a person would', async t => {
  for (const [printed, plain] of [
    [`Note {:note=>["can't be blank"]}`, "Note (note: can't be blank)"],
    [`Note {note: ["can't be blank"]}`, "Note (note: can't be blank)"],
    ['Failed {"line code"=>["a", "b, c"], :"x y"=>["d"]}.', 'Failed (line code: a, b, c; x y: d).'],
    ['{"a" => ["says \\"no\\""], b: []} {:c=>["d"]}', '(a: says "no"; b: ) (c: d)']
  ] as const)
    t.equal(withoutPrintedHashes(printed), plain)
})

t.test('all else stays as it is', async t => {
  for (const text of [
    'Use {a, b} or {{c}}',
    '{"message": "x"}',
    'Note {:note=>["can\'t be',
    '{:a=>[1]}',
    '{:a=>"b"}',
    'plain'
  ])
    t.equal(withoutPrintedHashes(text), text)
})

t.test('text that is made to take long takes no longer', async t => {
  const began = process.cpuUsage()
  for (const text of ['{a: ["', '{', '{a: ["", "', '{:a=>["\\\\', '{"a', '{a: [""], '])
    withoutPrintedHashes(text.repeat(2000).slice(0, 2000))
  t.ok(process.cpuUsage(began).user < 500_000)
})
