import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { connectionLimits, limitsWithin } from '../../../src/edge/connections/connection-limits.ts'
import { mostOpenFiles } from '../../../src/edge/connections/open-files.ts'
import { root } from '../../support/sources.ts'

t.test('the limit of open files is what the kernel says of this process', async t => {
  const file = join(root, 'src/edge/connections/open-files.ts')
  const script = `import(${JSON.stringify(file)}).then(({ mostOpenFiles }) => console.log(mostOpenFiles()))`
  if (process.platform === 'linux')
    t.equal(
      execFileSync('sh', ['-c', 'ulimit -n 1000 && "$0" -e "$1"', process.execPath, script], {
        encoding: 'utf8'
      }),
      '1000\n'
    )
  const limits = t.testdir({ none: 'Max open files            unlimited  unlimited  files\n' })
  t.equal(mostOpenFiles(join(limits, 'none')), Infinity)
  t.equal(mostOpenFiles(join(limits, 'no-such')), Infinity)
})

t.test(
  'callers cannot take the files that calls to forges need, and an address not those of others',
  async t => {
    const { open, arriving } = limitsWithin(1024)
    t.same(open, { all: 512, each: 256 })
    t.same(arriving.waiting, { all: 256, each: 128 })
    t.equal(arriving.burst, 256)
    t.same(limitsWithin(8192), connectionLimits)
    t.same(limitsWithin(Infinity), connectionLimits)
    const least = limitsWithin(20)
    t.same([least.open.each, least.arriving.waiting.each], [5, 2])
  }
)
