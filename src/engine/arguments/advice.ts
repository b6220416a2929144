import type { Advice, StepsByWords } from '../../results/failure.ts'
import { listedBy } from '../requests/listed-by.ts'
import { signsOf } from '../requests/signs.ts'
import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'

/** For a call whose subject was not found: explains an argument for which callers often give another kind of value. */
function meaningOf(name: string, { required, properties }: ToolRow['input']): string | undefined {
  if (name.endsWith('iid'))
    return `${name} is the number in the project, as in ${signsOf(name)} and in web addresses, not the id`
  if (name === 'pipeline_id')
    return `${name} is the id, as list_pipelines has it, not the number in the project (iid)`
  const listed = listedBy.get(name)
  if (!required?.includes(name) || listed === undefined) return undefined
  const list = name === 'note_id' && 'issue_iid' in properties ? 'list_issue_discussions' : listed
  return `${name} is the id, as ${list} has it`
}

const noThread =
  'discussion_id is the id of a thread, as mr_discussions and list_issue_discussions give it; a number is the id of a note.'

/** Advice that lists the known words: the refusal of an unknown word does not say which words a forge knows. */
const knownWords = (input: ToolRow['input']): StepsByWords =>
  Object.entries(argumentsOf(input)).flatMap(([name, { words }]) =>
    words === undefined
      ? []
      : [[new RegExp(`\\b${name}\\b`), `${name} is one of ${words.join(', ')}.`] as const]
  )

/**
 * The advice after a refusal, by its status: that of the row, and in addition for status 404 an explanation of its
 * arguments, and for 400 the known words.
 */
export function adviceOf({ advice: given = {}, input }: ToolRow): Advice {
  const words = knownWords(input)
  const advice = words.length === 0 ? given : { 400: words, ...given }
  const own = advice[404] ?? []
  if (typeof own === 'string') return advice
  const names = Object.keys(input.properties)
  // If several numbers are optional, the call has one of them.
  const choices = names.filter(name => name.endsWith('iid') && !input.required?.includes(name))
  const asked =
    choices.length < 2 ? names : [...names.filter(name => !choices.includes(name)), choices.join(' or ')]
  const meanings = asked.map(name => meaningOf(name, input)).filter(meaning => meaning !== undefined)
  if (meanings.length === 0) return advice
  const place = names.includes('project_id') ? 'the project, and that' : 'that'
  const { milestone_id: milestone } = argumentsOf(input)
  const title =
    milestone?.milestone && input.required?.includes('milestone_id')
      ? ' Digits are an id: where 2027 is the title of a milestone, write %"2027".'
      : ''
  const check = `Check ${place} ${meanings.join(', and ')}.${title} The forge also answers 404 for what the token may not see.`
  const threads = names.includes('discussion_id') ? ([[/discussion/i, noThread]] as const) : []
  return { ...advice, 404: [...own, ...threads, [/(?:)/, check]] }
}
