import t from 'tap'
import { captureLog } from '../../support/log.ts'
import { testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

t.test('a process that stood still says so, as what waited meanwhile is refused or given up', async t => {
  const { now } = performance
  let later = 0
  t.intercept(performance, 'now', { value: () => now.call(performance) + later })
  const log = captureLog()
  await testServer(t, { LOG_LEVEL: 'warn' }, log.stream)
  const lines = () => log.lines('this process stood still')
  t.same(lines(), [])
  later = 40_000
  await until(() => lines().length > 0)
  t.match(lines(), [{ seconds: /^4\d$/ }])
})
