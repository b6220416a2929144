import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { ProcessMetrics } from '../../src/metrics/process-metrics.ts'

const program = fileURLToPath(new URL('open-files.ts', import.meta.url))
const MOST = 256

t.test(
  'where a process can open nothing more, as many files are told of as it may open',
  { skip: process.platform !== 'linux' && 'told of on Linux alone' },
  async t => {
    const limited = ['-c', `ulimit -n ${MOST} && exec "$0" "$1"`, process.execPath, program]
    const { stdout } = await promisify(execFile)('sh', limited)
    const [before, full, after] = JSON.parse(stdout) as { open: number; most: number }[]
    t.ok(before!.open > 0 && before!.open < MOST, String(before!.open))
    t.same(full, { open: MOST, most: MOST })
    t.ok(after!.open < MOST, 'and when it can again, those that are open')
  }
)

t.test('the time of the processor is that of the whole process, also before somebody asked', async t => {
  const { user, system } = process.cpuUsage()
  const metrics = new ProcessMetrics()
  t.teardown(() => metrics.close())
  const families = await metrics.read()
  const seconds = (name: string) =>
    families.find(family => family.name === `process_cpu_${name}seconds_total`)!.samples[0]!.value
  t.ok(seconds('user_') >= user / 1e6)
  t.ok(seconds('system_') >= system / 1e6)
  const { user: most, system: more } = process.cpuUsage()
  t.ok(seconds('') >= (user + system) / 1e6)
  t.ok(seconds('') < ((most + more) / 1e6) * 1.5, 'and counted once')
})
