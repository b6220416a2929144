import t from 'tap'
import { changesOf } from '../../../tools/merge-requests/review/changes.ts'

/** What is shown of the mode of a file that has these. */
const shown = (a_mode: unknown, b_mode: unknown) =>
  changesOf([{ new_path: 'a', a_mode, b_mode, diff: '' }], 0).files.map(({ mode }) => mode)

t.test(
  'a review shows the mode of each file that is no ordinary one, also where it only edits it',
  async t => {
    for (const [before, after, mode] of [
      ['100644', '100755', '100644→100755'],
      ['100755', '100644', '100755→100644'],
      ['100755', '100755', '100755'],
      ['120000', '120000', '120000'],
      ['160000', '160000', '160000'],
      ['0', '100755', '100755'],
      ['0', '100644', undefined],
      ['100644', '100644', undefined],
      ['100755', '0', undefined],
      [undefined, undefined, undefined]
    ])
      t.same(shown(before, after), [mode], `${before} ${after}`)
  }
)
