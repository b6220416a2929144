import { ArgumentError } from '../../results/problem.ts'

/*
 * The signs before numbers, as people and forges write them: `#7` is an issue, `!7` a merge request, `&7` an epic. A
 * number may have the sign that belongs to its argument; with another sign, it is the number of something else.
 */

/** The kind of thing for each sign. */
const things: ReadonlyMap<string, string> = new Map([
  ['#', 'an issue'],
  ['!', 'a merge request'],
  ['&', 'an epic'],
  ['%', 'a milestone'],
  ['~', 'a label'],
  ['$', 'a snippet']
])

/** The signs that belong to each argument. */
const own: readonly (readonly [name: RegExp, signs: string])[] = [
  [/issue_iid\b/, '#'],
  [/merge_request_iid\b/, '!'],
  [/^epic_iid$/, '&'],
  [/^noteable_iid$/, '#!'],
  [/^milestone_iid$/, '%'],
  [/^(?:pipeline|job)_id$/, '#']
]

const signsFor = (name: string): string =>
  own
    .filter(([names]) => names.test(name))
    .map(([, signs]) => signs)
    .join('')

/** The form of a number in texts. @param name the argument for the number, or several joined by "or" */
export function signsOf(name: string): string {
  if (name === 'noteable_iid') return '#7 of an issue or !7 of a merge request'
  return [...(signsFor(name) || '#')].map(sign => `${sign}7`).join(' or ')
}

const signed = /^\s*(?<sign>[#!&%~$])\s?(?<number>\d{1,19})\s*$/

/** A number without blanks and without the sign that belongs to its argument; any other text is only trimmed. */
export function withoutSign(name: string, text: string): string {
  const { sign, number } = signed.exec(text)?.groups ?? {}
  const isOwn = sign !== undefined && signsFor(name).includes(sign)
  return isOwn ? number! : text.trim()
}

/** The same with any sign: to compare numbers of the same kind. */
export const withoutAnySign = (text: string): string => text.replace(/^\s*[#!&](?=\d)/, '')

/** What to give if the sign was wrong, and the number is that of the argument. */
function orNumber(name: string, number: string): string {
  const noun = /^(?:target_)?(issue|merge_request|epic|milestone|pipeline|job)_i?id$/.exec(name)?.[1]
  if (noun === undefined) return ''
  return `: give ${number} if ${noun.replace('_', ' ')} ${signsFor(name)}${number} is meant`
}

/** What to give in a call about work items whose place belongs to the other kind. */
const placed: Readonly<Record<string, string>> = {
  'issue_iid&': ': give its group as group_id, and no project_id; or, for what is of the project,',
  'epic_iid#': ': give its project as project_id, and no group_id; or, for what is of the group,'
}

/**
 * Refuses the number of another kind of thing, which would otherwise be read as one of the argument's own kind.
 * @param name the kind of number: that of the argument, or a narrower one
 * @param argument its place, for the message
 * @throws ArgumentError
 */
export function refuseOtherSign(name: string, argument: string, text: string): void {
  const { sign, number = '' } = signed.exec(text)?.groups ?? {}
  // Nearly every text has no sign, so the signs of the argument are looked up only here.
  if (sign === undefined) return
  const wanted = signsFor(name)
  if (wanted === '' || wanted.includes(sign)) return
  const given = JSON.stringify(text.trim())
  const ofItem = /(?:^|\.)iids?$/.test(argument) ? placed[name + sign] : undefined
  const instead = ofItem === undefined ? orNumber(name, number) : `${ofItem} ${number}`
  throw new ArgumentError(
    argument,
    `must be a number, as in ${signsOf(name)} and in web addresses, not ${given}, which is ${things.get(sign)}${instead}`
  )
}
