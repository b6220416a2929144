import t from 'tap'
import { infoWriter } from '../../src/log/log.ts'
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
