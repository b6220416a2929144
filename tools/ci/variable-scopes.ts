import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { NoticeContext, ToolContext } from '../../src/engine/context.ts'
import type { Reason } from '../../src/engine/facts/reason.ts'
import { PAGE } from '../../src/engine/requests/pages.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { branchLike } from '../../src/engine/suggestions/names.ts'
import { recordsIn } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted, quotedFew, wordsOf } from '../../src/results/visible.ts'

/* Finds the other scopes of a variable's key. A key may exist once in each scope. */

/** The scope that means all environments. */
export const EVERYWHERE = '*'

/**
 * How many scopes are named. Each may be long, and naming all those on a page took as long as all other work of a call.
 */
export const MAX_SCOPES = 8

type Variable = Record<string, unknown>

/**
 * The problem of changing a variable in a scope where it does not exist. It names the scopes in which the key exists.
 */
export async function noneToChange(args: Arguments, context: ToolContext): Promise<CallProblem> {
  const there = await context.lookups.within(() => scopesOfKey(args, context)).catch(() => undefined)
  const none = `There is no variable ${args.key} in scope ${args.environment_scope ?? EVERYWHERE}`
  if (there === undefined || there.length === 0)
    return new CallProblem(`${none}, or it may not be seen: give value to make it.`)
  const scopes = quotedFew(
    there.map(({ scope }) => String(scope)),
    MAX_SCOPES
  )
  return new CallProblem(
    `${none}. It is in ${scopes}: to change it there give that as environment_scope, to make another one give value.`
  )
}

/**
 * Advice for deleting a variable without a scope: it names the scopes in which the key exists. If a scope was given,
 * nothing is said. The call may be a repeat, and its caller would then delete the variable of another scope.
 */
export const otherScopesOf: Reason = {
  statuses: [404],
  read: 'GET {PG}/variables?per_page=100',
  by: 'list_variables',
  say: (list, { key, environment_scope }) => {
    const scopes = recordsIn(list)
      .filter(variable => variable.key === key)
      .map(variable => wordsOf(variable.environment_scope))
    return scopes.length === 0 || environment_scope !== undefined
      ? undefined
      : `${key} is not in scope ${quoted(EVERYWHERE)}, or not any more, and stays in ${quotedFew(scopes, MAX_SCOPES)}: environment_scope says which one is meant.`
  },
  isAll: () => true
}

/** The variables of a key in all scopes, as far as one page lists them. Empty if the caller may not list variables. */
async function scopesOfKey(args: Arguments, context: NoticeContext): Promise<readonly Variable[]> {
  if (!context.mayRun('list_variables')) return []
  const request = requestTo('GET {PG}/variables', args, queryOf({ per_page: PAGE }))
  return recordsIn((await context.forge.send(request)).value)
    .filter(({ key }) => key === args.key)
    .map(variable => ({ ...variable, scope: wordsOf(variable.environment_scope) }) as Variable)
}

/** Arguments that protect a variable's value. */
const guards = ['masked', 'protected'] as const

/**
 * Names the other scopes of a key after one was created, as the caller may have meant one of those. Each scope has
 * settings of its own. So it also says if another one is masked or protected and the new one is not, unless the caller
 * set that.
 */
async function otherScopes(args: Arguments, context: NoticeContext): Promise<string | undefined> {
  const all = await scopesOfKey(args, context)
  const isMade = ({ scope }: Variable) => scope === (args.environment_scope ?? EVERYWHERE)
  const others = all.filter(variable => !isMade(variable))
  if (others.length === 0) return undefined
  const scopes = others.map(({ scope }) => String(scope))
  const made = all.find(isMade) ?? args
  const lacking = guards.filter(
    name => args[name] === undefined && made[name] !== true && others.some(other => other[name] === true)
  )
  const besides = `It was made beside those of other scopes, which stay as they are: ${quotedFew(scopes, MAX_SCOPES)}.`
  if (lacking.length === 0) return besides
  const guarded = others.filter(other => lacking.some(name => other[name] === true))
  const whose = quotedFew(
    guarded.map(({ scope }) => String(scope)),
    MAX_SCOPES
  )
  const more = lacking.map(name => `${name}=true`).join(' and ')
  return `${besides} Unlike what is of ${whose} it is not ${lacking.join(' and not ')}: set_variable in its scope with ${more} makes it so.`
}

/** The notice that no environment has the scope's name. Forges accept any text, but no job would get the variable. */
async function unknownEnvironment(
  { project_id, environment_scope: scope = EVERYWHERE }: Arguments,
  context: NoticeContext
): Promise<string | undefined> {
  const name = String(scope)
  if (project_id === undefined || name.includes('*') || !context.mayRun('list_environments')) return undefined
  const request = requestTo(
    'GET /projects/{project_id}/environments',
    { project_id },
    queryOf({ per_page: PAGE })
  )
  const list = (await context.forge.send(request)).value
  const names = recordsIn(list).map(environment => wordsOf(environment.name))
  if (!Array.isArray(list) || names.length >= PAGE || names.includes(name)) return undefined
  const guess = name.toLowerCase() === 'all' ? `${EVERYWHERE} is for all of them.` : branchLike(name, names)
  return `There is no environment ${quoted(name)} yet: ${guess ?? 'list_environments has those there are.'} A job gets the variable only in an environment of that name.`
}

/** All notices about a variable that was created. */
export async function ofMade(args: Arguments, context: NoticeContext): Promise<string | undefined> {
  const found = await Promise.allSettled([otherScopes(args, context), unknownEnvironment(args, context)])
  const said = found.flatMap(one => (one.status === 'fulfilled' && one.value ? [one.value] : []))
  return said.length === 0 ? undefined : said.join(' ')
}
