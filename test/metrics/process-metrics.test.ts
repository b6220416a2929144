import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

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
