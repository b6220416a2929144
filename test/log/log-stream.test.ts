import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { MAX_WAITING } from '../../src/log/line-writer.ts'
import { logStream } from '../../src/log/log-stream.ts'
import { until } from '../support/until.ts'

/** Longer than lines are kept. */
const moment = () => sleep(50)

t.test('the lines of a moment are written at its end, in order', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  for (const line of ['one\n', 'two\n', 'three\n']) stream.write(line)
  t.equal(readFileSync(file, 'utf8'), '')
  await until(() => readFileSync(file, 'utf8') === 'one\ntwo\nthree\n')
  stream.write('four\n')
  await until(() => /three\nfour\n$/.test(readFileSync(file, 'utf8')))
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

t.test('a moment of many lines is written whole by the end that is waited for', async t => {
  const file = join(t.testdir(), 'log')
  const stream = logStream(openSync(file, 'w'))
  // A busy disk may take longer than is waited for: that does not end here.
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  for (let at = 0; at < 1000; at++) stream.write(`${'x'.repeat(999)}\n`)
  await stream.written()
  t.equal(readFileSync(file, 'utf8').length, 1_000_000)
  t.equal(stream.lost, 0)
})

t.test('a reader that stops keeps nobody waiting, and is told what it has missed', async t => {
  const pipe = join(t.testdir(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const stream = logStream(openSync(pipe, constants.O_RDWR))
  const kilobyte = 'x'.repeat(1023)
  const written = (MAX_WAITING / 1024) * 2
  for (let at = 0; at < written; at++) stream.write(`${kilobyte}\n`)
  await moment()
  t.ok(stream.lost > written / 3 && stream.lost < written, `${stream.lost} of ${written}`)
  const { lost } = stream
  let said = ''
  const reader = spawn('cat', [pipe])
  for await (const chunk of reader.stdout) {
    said += chunk
    if (/were lost.*\n$/.test(said)) break
  }
  reader.kill()
  const lines = said.trimEnd().split('\n')
  t.equal(lines.filter(line => line === kilobyte).length, written - lost)
  t.match(JSON.parse(lines.at(-1)!), { level: 40, lines: lost, msg: 'lines of the log were lost' })
})

t.test(
  'a reader that has stopped shows once nothing was taken for ten seconds, and before a line is lost',
  async t => {
    const pipe = join(t.testdir(), 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const flags of [constants.O_RDWR, constants.O_RDWR | constants.O_NONBLOCK]) {
      let now = 0
      const stream = logStream(
        openSync(pipe, flags),
        () => {},
        () => now
      )
      now = 60_000
      t.notOk(stream.failing, 'nothing has to be read yet')
      const line = `${'x'.repeat(1023)}\n`
      for (let at = 0; at < 1024; at++) stream.write(line)
      await moment()
      now += 9_999
      t.notOk(stream.failing, 'it may pause')
      now += 1
      t.ok(stream.failing)
      t.equal(stream.lost, 0)
      const reader = spawn('cat', [pipe], { stdio: ['ignore', 'ignore', 'ignore'] })
      await until(() => !stream.failing)
      await stream.written()
      now += 60_000
      t.notOk(stream.failing, 'all is read')
      reader.kill()
    }
  }
)

t.test('what cannot be written is said once, ends nothing, and does not keep the process', async t => {
  const says: string[] = []
  const stream = logStream(openSync('/dev/full', 'w'), sentence => says.push(sentence))
  t.notOk(stream.failing)
  for (const line of ['one\n', 'two\n']) {
    stream.write(line)
    await stream.written()
  }
  await until(() => says.length > 0)
  t.match(says, [/cannot be written \(ENOSPC\)/])
  t.equal(says.length, 1)
  t.ok(stream.failing, 'which is told of before a line is lost')
  t.equal(stream.lost, 0)
})

t.test('what a full disk did not take is written once it has room, though no other line comes', async t => {
  const file = join(t.testdir(), 'log')
  const disk = openSync('/dev/full', 'w')
  const stream = logStream(disk, () => {})
  stream.write('one\n')
  await until(() => stream.failing)
  closeSync(disk)
  // The lowest number that is free is taken.
  while (openSync(file, 'w') !== disk);
  await until(() => readFileSync(file, 'utf8') === 'one\n')
  await until(() => !stream.failing)
  t.equal(stream.lost, 0)
})

t.test('what was not written when the process ends is counted, and said once', async t => {
  const says: string[] = []
  const stream = logStream(openSync('/dev/full', 'w'), sentence => says.push(sentence))
  for (const line of ['one\n', 'two\n']) {
    stream.write(line)
    await stream.written()
  }
  await until(() => says.length > 0)
  stream.write('three\n')
  stream.flushSync()
  stream.flushSync()
  t.equal(stream.lost, 3)
  t.same(says.slice(1), ['Lines of the log that were lost, as it could not be written: 3.\n'])
})

t.test('lines are lost at once where their reader has gone, and the next one is told how many', async t => {
  const pipe = join(t.testdir(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const read = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const first = read()
  const stream = logStream(openSync(pipe, 'w'), () => {})
  closeSync(first)
  for (const line of ['one\n', 'two\n', 'three\n']) {
    stream.write(line)
    await stream.written()
  }
  t.equal(stream.lost, 3)
  t.ok(stream.failing)
  const next = read()
  stream.write('four\n')
  await stream.written()
  t.notOk(stream.failing)
  const said = Buffer.alloc(1000)
  readSync(next, said)
  const [four, told] = said.toString().split('\n')
  t.equal(four, 'four')
  t.match(JSON.parse(told!), { level: 40, lines: 3, msg: 'lines of the log were lost' })
  closeSync(next)
})
