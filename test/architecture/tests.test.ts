import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { filesOf, root } from '../support/sources.ts'

/**
 * Tests of more than one folder: of the whole service in processes, of what holds the event loop, of what holds for all
 * tools, of what is beside the service, and of how it is built.
 */
const kinds =
  'architecture attack bench chart clients dashboard eval event-loop flows forge-tests long release tools/all-tools'.split(
    ' '
  )

t.test('tests lie in folders of the names of those that they test, or in one of their kind', async t => {
  const folders = filesOf('test')
    .filter(file => file.endsWith('.test.ts'))
    .map(file => dirname(file).slice('test/'.length))
  t.same(
    [...new Set(folders)].filter(
      folder =>
        !kinds.includes(folder) && ![folder, `src/${folder}`].some(named => existsSync(join(root, named)))
    ),
    []
  )
})
