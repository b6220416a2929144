import t from 'tap'
import { toolNames } from '../../tools/index.ts'
import { filesOf, importsOf, textOf } from '../support/sources.ts'

const named = new RegExp(`\\bname: '(?:${toolNames.join('|')})'`)

/** Makes the rows of several toolsets, so that a file of such rows says no name of a tool. */
const FAMILY = 'tools/families/items/reactions.ts'

const hasRows = (file: string) => named.test(textOf(file)) || importsOf(file).some(({ to }) => to === FAMILY)

t.test('the index of a toolset imports all files of rows, and no others', async t => {
  const indexes = filesOf('tools').filter(file => /^tools\/[\w-]+\/index\.ts$/.test(file))
  const listed = indexes
    .flatMap(importsOf)
    .map(({ to }) => to)
    .filter(to => to.startsWith('tools/') && to !== 'tools/plugin.ts')
  t.same(
    [...new Set(listed)].sort(),
    filesOf('tools')
      .filter(file => !indexes.includes(file) && hasRows(file))
      .sort()
  )
})
