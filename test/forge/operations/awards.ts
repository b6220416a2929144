import {
  bodyText,
  type Call,
  created,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  recordNotFound,
  unauthorized
} from '../http.ts'
import { presentAward } from '../present/note.ts'
import type { Award, Noteable } from '../types.ts'

/** An object that has reactions: a merge request, an issue or one of their notes. */
interface Awardable {
  id: number
  type: string
  awards: Award[]
}

type Find = (call: Call) => Noteable

const EMOJI = /^[a-z0-9_+-]+$/
const ALIASES: Record<string, string> = { '+1': 'thumbsup', '-1': 'thumbsdown' }

const itself =
  (find: Find) =>
  (call: Call): Awardable => {
    const owner = find(call)
    return { id: owner.id, type: owner.kind, awards: owner.awards }
  }

const noteOf =
  (find: Find) =>
  (call: Call): Awardable => {
    const notes = find(call).discussions.flatMap(discussion => discussion.notes)
    const note = notes.find(({ id }) => String(id) === call.params.note_id)
    if (!note) throw recordNotFound()
    return { id: note.id, type: 'Note', awards: note.awards }
  }

const awardOf = (call: Call, { awards }: Awardable): Award => {
  const found = awards.find(({ id }) => String(id) === call.params.award_id)
  if (!found) throw recordNotFound()
  return found
}

/**
 * Adds a reaction. Both a second award and an unknown name are answered with 404, and the reason is in the words before
 * "Not Found".
 */
const create = (call: Call, target: Awardable) => {
  const given = bodyText(call, 'name') ?? ''
  const name = ALIASES[given] ?? given
  if (!EMOJI.test(given)) throw notFound('Award Emoji Name is not a valid emoji name')
  if (target.awards.some(award => award.user === call.user && award.name === name))
    throw notFound('Award Emoji Name has already been taken')
  const award = { id: call.state.nextId('award'), name, user: call.user, createdAt: call.state.time() }
  target.awards.push(award)
  return created(presentAward(call.state, award, target.id, target.type))
}

const remove = (call: Call, target: Awardable) => {
  const award = awardOf(call, target)
  if (award.user !== call.user && !call.user.admin) throw unauthorized()
  target.awards.splice(target.awards.indexOf(award), 1)
  return noContent()
}

const routes = (prefix: string, target: (call: Call) => Awardable): Operations => ({
  [`list_${prefix}_emoji_reactions`]: call => {
    const { awards, id, type } = target(call)
    return paged(call, awards, award => presentAward(call.state, award, id, type))
  },
  [`create_${prefix}_emoji_reaction`]: call => create(call, target(call)),
  [`get_${prefix}_emoji_reaction`]: call => {
    const found = target(call)
    return ok(presentAward(call.state, awardOf(call, found), found.id, found.type))
  },
  [`delete_${prefix}_emoji_reaction`]: call => remove(call, target(call))
})

/** Reactions on an item and on its notes. There is no route below a discussion. */
export const awardOperations = (kind: 'merge_request' | 'issue', find: Find): Operations => ({
  ...routes(kind, itself(find)),
  ...routes(`${kind}_note`, noteOf(find))
})
