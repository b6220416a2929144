import t from 'tap'
import { foldedPath } from '../../src/base/folded-path.ts'

t.test('paths are compared without the case of ASCII letters, and of no others', async t => {
  t.equal(foldedPath('Group/Sub-Group.X'), 'group/sub-group.x')
  t.not(foldedPath('\u212aitchen'), foldedPath('kitchen'), 'the Kelvin sign is no k')
})
