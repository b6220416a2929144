import type { Test } from 'tap'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { type Call, story } from '../../support/sandbox-tools.ts'

const project_id = 'acme/rocket'
const gauge = { project_id, merge_request_iid: 3 }
const ready = { project_id, merge_request_iid: 6 }

/** One destructive tool, refused without the name of its thing and with another, and carried out with it. */
async function confirmed(t: Test, call: Call, tool: string, args: object, name: string, what: string) {
  const without = await call(tool, { ...args })
  t.match(without.error, new RegExp(`wants ${tool} confirmed.*the ${what} exactly as it is`), tool)
  const wrong = await call(tool, { ...args, confirm: `not ${name}` })
  t.match(wrong.error, `confirm is not the ${what.replace(' the ', ' this ')}`, tool)
  const done = await call(tool, { ...args, confirm: name })
  t.equal(done.error, undefined, tool)
}

story(
  'whatever is destroyed by a number is read at the forge, and confirmed by its name',
  [mergeRequests, issues],
  async (t, as) => {
    const call = as('ada')
    const each = (tool: string, args: object, name: string, what: string) =>
      confirmed(t, call, tool, args, name, what)

    const comment = (await call('create_merge_request_note', { ...gauge, body: 'Hi there\n\nand more' }))
      .value
    await each('delete_merge_request_note', { ...gauge, note_id: comment.id }, 'Hi there', 'body of the note')
    const [thread] = (await call('mr_discussions', gauge)).value
    const place = { ...gauge, discussion_id: thread.id }
    const added = (await call('create_merge_request_discussion_note', { ...place, body: 'Me too' })).value
    const inThread = { ...place, note_id: added.id }
    await each('delete_merge_request_discussion_note', inThread, 'Me too', 'body of the note')
    const draft = (await call('create_draft_note', { ...gauge, body: 'Percent?' })).value
    const drafted = { ...gauge, draft_note_id: draft.id }
    await each('delete_draft_note', drafted, 'Percent?', 'note of the draft note')
    const tada = (await call('create_merge_request_emoji_reaction', { ...gauge, name: 'tada' })).value
    const given = { ...gauge, award_id: tada.id }
    await each('delete_merge_request_emoji_reaction', given, 'tada', 'name of the reaction')

    const issue = (await call('create_issue', { project_id, title: 'Made by mistake' })).value
    const one = { project_id, issue_iid: String(issue.iid) }
    const note = (await call('create_issue_note', { ...one, body: 'Why?' })).value
    const eyes = (await call('create_issue_note_emoji_reaction', { ...one, note_id: note.id, name: 'eyes' }))
      .value
    const onNote = { ...one, note_id: note.id, award_id: eyes.id }
    await each('delete_issue_note_emoji_reaction', onNote, 'eyes', 'name of the reaction')
    const owner = as('margaret')
    await confirmed(t, owner, 'delete_issue', one, 'Made by mistake', 'title of the issue')

    const { title, sha } = (await call('get_merge_request', ready)).value
    const train = { ...ready, sha, auto_merge: true }
    await each('add_merge_request_to_merge_train', train, title, 'title of the merge request')
  },
  { confirm: 'destructive' }
)

story(
  'the word that agrees to an update is nothing to change',
  [issues],
  async (t, as) => {
    const one = { project_id, issue_iid: '1' }
    const { error } = await as('ada')('update_issue', { ...one, confirm: 'update_issue' })
    t.match(error, /^Nothing to update/)
  },
  { confirm: 'writes' }
)

story(
  'a yes to what takes no confirmation is passed over, and nothing else is',
  [repository],
  async (t, as) => {
    const remove = async (confirm: unknown, branch = 'feature/fuel-gauge') =>
      (await as('ada')('delete_branch', { project_id, branch, confirm })).error
    for (const other of ['main', 'no', false, 1])
      t.match(await remove(other), /^Invalid arguments: unknown argument "confirm"/, String(other))
    t.equal(await remove(true), undefined)
    t.match(await remove('feature/fuel-gauge'), /404/, 'it is deleted')
  }
)
