import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { logStream } from '../../src/log/log.ts'

/** Longer than lines are kept. */
const moment = () => sleep(50)

t.test('the lines of a moment are written at its end, in order', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  for (const line of ['one\n', 'two\n', 'three\n']) stream.write(line)
  t.equal(readFileSync(file, 'utf8'), '')
  await moment()
  t.equal(readFileSync(file, 'utf8'), 'one\ntwo\nthree\n')
  stream.write('four\n')
  await moment()
  t.match(readFileSync(file, 'utf8'), /three\nfour\n$/)
})

t.test('whoever ends the process writes what is left, once', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  stream.write('last\n')
  stream.flushSync()
  t.equal(readFileSync(file, 'utf8'), 'last\n')
  stream.flushSync()
  await moment()
  t.equal(readFileSync(file, 'utf8'), 'last\n')
})

t.test('a moment of many lines does not keep them all', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  for (let at = 0; at < 100; at++) stream.write(`${'x'.repeat(999)}\n`)
  t.ok(readFileSync(file, 'utf8').length > 60_000)
  await moment()
  t.equal(readFileSync(file, 'utf8').length, 100_000)
})
