import { Type } from 'typebox'
import { flag, oneOf, optional, text } from '../../src/catalog/fields.ts'
import type { Arguments, Check } from '../../src/engine/checks.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import { checkPath } from '../../src/engine/template.ts'

/** What one commit does to files, in order. */
export const Actions = Type.Array(
  Type.Object({
    action: oneOf(['create', 'update', 'delete', 'move', 'chmod']),
    file_path: text(),
    content: optional(text('Whole new text')),
    encoding: optional(oneOf(['text', 'base64'])),
    previous_path: optional(text('Of a move')),
    execute_filemode: optional(flag('Of chmod')),
    last_commit_id: optional(text('From get_file_contents: refused if the file changed since'))
  }),
  { minItems: 1, maxItems: 100 }
)

export interface Action {
  readonly action: 'create' | 'update' | 'delete' | 'move' | 'chmod'
  readonly file_path: string
  readonly content?: string
  readonly encoding?: string
  readonly previous_path?: string
  readonly execute_filemode?: boolean
}

export const actionsOf = ({ actions }: Arguments): readonly Action[] => actions as readonly Action[]

/** What an action cannot do without. */
const needed: Readonly<Record<Action['action'], keyof Action | undefined>> = {
  create: 'content',
  update: 'content',
  move: 'previous_path',
  chmod: 'execute_filemode',
  delete: undefined
}

/** Each action has what it takes, and paths that are paths; the forge's own messages do not say which lacks what. */
export const wholeActions: Check = args => {
  for (const [at, action] of actionsOf(args).entries()) {
    const place = `actions.${at}`
    checkPath(`${place}.file_path`, action.file_path)
    if (action.previous_path !== undefined) checkPath(`${place}.previous_path`, action.previous_path)
    const lacks = needed[action.action]
    if (lacks !== undefined && action[lacks] === undefined)
      throw new CallProblem(`${place} is a ${action.action} and needs ${lacks}.`)
    checkContent(place, action)
  }
}

function checkContent(place: string, { content, encoding }: Action): void {
  if (content === undefined) return
  if (encoding === 'base64' ? !isBase64(content) : /\p{Surrogate}/u.test(content))
    throw new CallProblem(
      `${place}.content is not ${encoding === 'base64' ? 'base64' : 'text: it has half of a character'}.`
    )
}

const isBase64 = (content: string): boolean => {
  const dense = content.replace(/\s/g, '')
  return dense.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(dense)
}

/** One action a file, unless a move took the file away before. */
export const oneActionEach: Check = args => {
  const taken = new Set<string>()
  for (const { file_path, previous_path } of actionsOf(args)) {
    if (taken.has(file_path))
      throw new CallProblem(`${JSON.stringify(file_path)} has two actions: give what it is to be in one.`)
    if (previous_path !== undefined) taken.delete(previous_path)
    taken.add(file_path)
  }
}
