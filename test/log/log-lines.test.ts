import { pino } from 'pino'
import t from 'tap'
import { infoWriter, logOptions } from '../../src/log/log.ts'
import { captureLog } from '../support/log.ts'

t.test('a line is one JSON object, without what is undefined and without tokens', async t => {
  const log = captureLog()
  const before = Date.now()
  infoWriter(
    { level: 'info' },
    'done',
    log.stream
  )({
    tool: 'x',
    project: 'a\n"glpat-0123456789abcdef',
    class: undefined
  })
  t.equal(log.text().split('\n').length, 2)
  const [line] = log.lines()
  t.match(line, { level: 30, tool: 'x', msg: 'done', project: 'a\n"[redacted]' })
  t.notOk('class' in line!)
  t.ok(Number(line?.time) >= before)
})

t.test('what nobody sees is written as an escape, by the logger, too', async t => {
  const says = 'a\u202eb\u200b\u{e0041}\u{13437}\u2028\u009b31m é…\t\\u202e'
  const log = captureLog()
  infoWriter({ level: 'info' }, 'done', log.stream)({ says })
  pino(logOptions({ LOG_LEVEL: 'info' }), log.stream).info({ says }, 'done')
  t.notMatch(log.text(), /[\u202e\u200b\u{e0041}\u{13437}\u2028\u009b]/u)
  t.match(log.text(), /a\\u202eb\\u200b\\udb40\\udc41\\ud80d\\udc37\\u2028\\u009b31m é…/)
  t.same(
    log.lines('done').map(line => line.says),
    [says, says],
    'and read as it was'
  )
})

t.test('lines are written from LOG_LEVEL info down', async t => {
  for (const [level, lines] of [
    ['trace', 1],
    ['debug', 1],
    ['info', 1],
    ['warn', 0],
    ['fatal', 0],
    ['silent', 0]
  ] as const) {
    const log = captureLog()
    infoWriter({ level }, 'done', log.stream)({ tool: 'x' })
    t.equal(log.lines().length, lines, level)
  }
})
