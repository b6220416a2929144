import type { TObject } from 'typebox'
import { fieldsOf as recordFields } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import { withoutAnySign } from '../requests/signs.ts'
import { isNamespace } from '../requests/template.ts'
import { withoutSlashes } from './slashes.ts'
import { beginsWith, type WebUrl } from './web-url.ts'

/* An address and an argument that name two different things. The argument would win, and could be the wrong one. */

/** Normalizes a name: without percent-encoded slashes, slashes around it, or `refs/heads/`. */
export const plainName = (text: string): string =>
  withoutSlashes(text.trim().replaceAll(/%2f/gi, '/')).replace(/^refs\/(?:heads|tags)\//, '')

/** Normalizes the path of a file in the same way. */
const plainFile = (text: string): string => plainName(text.trim().replace(/^(?:\.\/)+/, ''))

/** Ids have at most twenty digits. Parsing a very long number takes time quadratic in its length. */
const isNumber = (text: string): boolean => /^\d{1,40}$/.test(text)
const isSha = (text: string): boolean => /^[0-9a-f]{4,64}$/i.test(text)

/**
 * Whether an argument names another thing than a field of an address. Values that cannot be compared do not contradict
 * each other: a title and a number, or a branch and a commit.
 */
function isOther(name: string, value: unknown, field: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const [given, there] = [String(value).trim(), String(field)]
  if (given === '' || isNamespace(name)) return false
  if (name.endsWith('id')) {
    const number = withoutAnySign(given).replace(/^gid:\/\/.*\//, '')
    return isNumber(number) && isNumber(there) && BigInt(number) !== BigInt(there)
  }
  if (name === 'sha') {
    const [one, other] = [given.toLowerCase(), there.toLowerCase()]
    return isSha(one) && isSha(other) && !one.startsWith(other) && !other.startsWith(one)
  }
  if (name === 'slug') return plainName(given).replaceAll(' ', '-') !== plainName(there).replaceAll(' ', '-')
  return name === 'tag_name' && plainName(given) !== there
}

type Named = readonly [name: string, value: unknown]

/**
 * The argument that names another branch or tag than the address, with the ref of the address. A read may be at
 * another ref, and a write may go to another branch; a deletion must be of the ref in the address.
 */
function otherRef({ fields, unclear }: WebUrl, args: Arguments, of: string): Named | undefined {
  if (fields.ref === undefined || of === 'read') return undefined
  const whole = plainName(unclear?.join('/') ?? String(fields.ref))
  const isThere = (given: string) => (unclear === undefined ? whole === given : beginsWith(whole, given))
  const other = (of === 'destructive' ? ['branch', 'tag_name', 'name', 'ref'] : ['ref']).find(name => {
    const given = args[name]
    return typeof given === 'string' && given !== '' && !isThere(plainName(given))
  })
  return other === undefined ? undefined : [other, whole]
}

/**
 * Refuses a call whose arguments name another thing than an address in it.
 * @param given the argument with the address
 * @param fields the fields of the address that the tool has arguments for, by name
 * @param of the class of the tool
 * @throws ArgumentError
 */
function refuseOther(
  given: string,
  address: WebUrl,
  fields: readonly Named[],
  args: Arguments,
  of: string
): void {
  const other =
    fields.find(([name, value]) => isOther(name, args[name], value)) ?? otherRef(address, args, of)
  if (other === undefined) return
  const [name, value] = other
  const there = /^\d+$/.test(String(value)) ? value : quotedName(String(value))
  throw new ArgumentError(
    given,
    `is the address of ${name} ${there}, and ${name} is ${quotedName(String(args[name]))}: give the one that is meant`
  )
}

/**
 * The argument with a list of things, and the field with the number of each. Both are absent for a tool of one thing.
 */
interface Several {
  readonly argument?: string
  readonly by?: string
}

/**
 * Refuses the address of a thing that is none of those in the list. If an item of the list has no number, the address
 * passes.
 * @throws ArgumentError
 */
function refuseOthers(
  given: string,
  { fields }: WebUrl,
  args: Arguments,
  { argument = '', by = '' }: Several
): void {
  const value = args[argument]
  const numbers = Array.isArray(value) ? value.map(item => recordFields(item)[by]) : []
  const there = fields[by]
  if (there === undefined || numbers.length === 0) return
  if (numbers.every(number => isOther(by, number, there)))
    throw new ArgumentError(
      given,
      `is the address of ${by} ${there}, which is none of those that are given: give the one that is meant`
    )
}

/**
 * Refuses the address of a milestone beside a milestone id. The address has the milestone's iid, which cannot be
 * compared with an id, so the tool could change or delete another milestone.
 * @throws ArgumentError
 */
function refuseOtherKind(given: string, { fields }: WebUrl, args: Arguments): void {
  const { milestone_iid: iid } = fields
  const id = String(args.milestone_id ?? '')
  if (iid !== undefined && isNumber(id.trim()))
    throw new ArgumentError(
      given,
      `is the address of the milestone with iid ${iid}, and milestone_id ${quotedName(id)} is an id: give it alone, or the title; list_milestones with iids=${iid} has both`
    )
  const [, other = iid] = /^\s*https?:.*\/milestones\/(\d{1,19})(?!\d)/i.exec(id) ?? []
  if (other !== iid)
    throw new ArgumentError(
      given,
      `and milestone_id are the addresses of two milestones: give the one that is meant`
    )
}

/**
 * Prepares the refusal of calls whose arguments name another thing than an address in them.
 * @returns a function (given, address, fields, args) that throws ArgumentError when they do. `given` is the argument
 *   with the address; `fields` are the fields of the address that the tool has arguments for, by name
 */
export function contradictionStep(
  row: Several & Readonly<{ input: TObject; class: string }>
): (given: string, address: WebUrl, fields: readonly Named[], args: Arguments) => void {
  const { input, class: of } = row
  const isOfMilestone = (input.required ?? []).includes('milestone_id')
  return (given, address, fields, args) => {
    refuseOther(given, address, fields, args, of)
    refuseOthers(given, address, args, row)
    if (isOfMilestone) refuseOtherKind(given, address, args)
  }
}

/** Whether an argument names another file than the address. If so, the lines of the address do not apply. */
export function isOtherFile({ fields, unclear }: WebUrl, path: unknown): boolean {
  if (typeof path !== 'string' || path.trim() === '' || fields.path === undefined) return false
  const whole = unclear?.join('/')
  const file = plainFile(path)
  return whole === undefined ? fields.path !== file : !whole.endsWith(`/${file}`)
}
