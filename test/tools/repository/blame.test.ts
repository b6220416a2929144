import t from 'tap'
import { blameHunks } from '../../../tools/repository/blame.ts'

const commit = (id: string, author_name: string) => ({ id, author_name, message: `By ${author_name}` })

t.test('two commits whose ids begin alike are told apart, each with its author', async t => {
  const [ada, bob] = [commit('0a1b2c3d11', 'Ada'), commit('0a1b2c3d22', 'Bob')]
  const hunks = [ada, bob, ada, bob].map((commit, at) => ({ commit, lines: [`line ${at}`] }))
  t.match(blameHunks(hunks, {}), [
    { commit: '0a1b2c3d', author_name: 'Ada', title: 'By Ada' },
    { commit: '0a1b2c3d22', author_name: 'Bob', title: 'By Bob' },
    { commit: '0a1b2c3d', author_name: undefined },
    { commit: '0a1b2c3d22', author_name: undefined }
  ])
})
