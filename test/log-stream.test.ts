import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { logStream } from '../src/log.ts'

const turn = () => new Promise(resolve => setImmediate(resolve))

t.test('the lines of one turn are written at its end, in order', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  for (const line of ['one\n', 'two\n', 'three\n']) stream.write(line)
  t.equal(readFileSync(file, 'utf8'), '')
  await turn()
  t.equal(readFileSync(file, 'utf8'), 'one\ntwo\nthree\n')
  stream.write('four\n')
  await turn()
  t.match(readFileSync(file, 'utf8'), /three\nfour\n$/)
})

t.test('whoever ends the process writes what is left, once', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  stream.write('last\n')
  stream.flushSync()
  t.equal(readFileSync(file, 'utf8'), 'last\n')
  stream.flushSync()
  await turn()
  t.equal(readFileSync(file, 'utf8'), 'last\n')
})

t.test('a turn that writes much does not keep it', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  for (let at = 0; at < 100; at++) stream.write(`${'x'.repeat(999)}\n`)
  t.ok(readFileSync(file, 'utf8').length > 60_000)
  await turn()
  t.equal(readFileSync(file, 'utf8').length, 100_000)
})
