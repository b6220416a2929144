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

t.test('what is in families/ several toolsets need, and no toolset needs a file of another', async t => {
  const needing = new Map<string, Set<string>>()
  const rooms = filesOf('tools').map(file => ({ file, room: file.split('/').slice(0, -1)[1] ?? '' }))
  const wrong: string[] = []
  for (const { file, room } of rooms.filter(({ room }) => room !== '' && room !== 'families'))
    for (const reached of needed(file)) {
      const [, of] = reached.split('/')
      if (of === 'families') needing.set(reached, (needing.get(reached) ?? new Set()).add(room))
      else if (of !== room) wrong.push(`${file} → ${reached}`)
    }
  const families = rooms.filter(({ room }) => room === 'families').map(({ file }) => file)
  t.same([...wrong, ...families.filter(file => (needing.get(file)?.size ?? 0) < 2)], [])
})

/** The files of tools/ that a file imports, also for a type, itself or by one of families/. */
function needed(file: string, found = new Set<string>()): Set<string> {
  for (const { to } of importsOf(file))
    if (/^tools\/[\w-]+\//.test(to) && !found.has(to)) {
      found.add(to)
      if (to.startsWith('tools/families/')) needed(to, found)
    }
  return found
}
