import { Type } from 'typebox'
import { isBesideOthers, secretStays } from '../../src/engine/arguments/cleared.ts'
import { faultOfMade } from '../../src/engine/arguments/coercion.ts'
import { guessOf } from '../../src/engine/arguments/problems.ts'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { isUrl } from '../../src/engine/names/flagged.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { someChange } from '../../src/engine/rows/checks.ts'
import {
  flag,
  inert,
  oneOf,
  optional,
  Page,
  ProjectOrGroup,
  text,
  variableValue
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isStatus } from '../../src/results/failure.ts'
import { fieldsOf, recordsIn } from '../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import { quoted, quotedFew, wordsOf } from '../../src/results/visible.ts'
import { EVERYWHERE, MAX_SCOPES, noneToChange, ofMade, otherScopesOf } from './variable-scopes.ts'

/** The keys that a forge accepts. It refuses longer keys and other characters. */
const Key = Type.String({
  pattern: '^[A-Za-z0-9_]{1,255}$',
  problem: 'must be letters, digits and _ alone, as A-Z, a-z, 0-9'
})
const NewKey = { ...Key, description: 'Letters, digits and _' }
const Scope = optional(text('Default *'))
/** The filter for the scope. A key may exist once in each scope, so only key and scope together identify a variable. */
const scopeOf = ({ environment_scope: scope }: Arguments) => ({ environment_scope: scope ?? EVERYWHERE })

const roles = 'It takes the Maintainer role in a project, the Owner role in a group.'

type Variable = Record<string, unknown>

const withoutValue = (variable: unknown): Variable => ({ ...fieldsOf(variable), value: undefined })

/**
 * The variables as they are shown.
 * @param list a page of variables with their values
 */
function shownVariables(list: unknown, { environment_scope: scope, include_values: values }: Arguments) {
  if (!Array.isArray(list)) throw new CallProblem('The forge answered with something that is not a list.')
  const wanted = (list as Variable[]).filter(
    variable => scope === undefined || variable.environment_scope === scope
  )
  return values === true ? wanted : wanted.map(withoutValue)
}

/**
 * The notice about variables of other scopes. It says which variables of wider scopes a job in the wanted scope also
 * gets. If no variable has the wanted scope, it names the scopes there are: a misspelt scope looks like one without
 * variables.
 * @param list all variables, as received
 */
function ofOtherScopes(list: unknown, { environment_scope: wanted }: Arguments): string | undefined {
  if (typeof wanted !== 'string' || wanted.length > MAX_NAME) return undefined
  const all = recordsIn(list)
    .map(({ key, environment_scope: scope }) => ({ key: wordsOf(key), scope: wordsOf(scope) }))
    .filter(({ key, scope }) => key.length <= MAX_NAME && scope.length <= MAX_NAME)
  const own = new Set(all.filter(({ scope }) => scope === wanted).map(({ key }) => key))
  const others = all.filter(({ scope }) => scope !== wanted)
  const wider = wanted.includes('*')
    ? []
    : others.filter(({ key, scope }) => !own.has(key) && covers(scope, wanted))
  const scopes = [...new Set(others.map(({ scope }) => scope))]
  const said = [
    ...(own.size > 0 || scopes.length === 0
      ? []
      : [
          `None has the scope ${quoted(wanted)}: ${guessOf(wanted, scopes) ?? `there are ${quotedFew(scopes, MAX_SCOPES)}.`}`
        ]),
    ...(wider.length === 0
      ? []
      : [
          `Its jobs get those of wider scopes as well: ${quotedFew(
            wider.map(({ key, scope }) => `${key} of ${scope}`),
            MAX_SCOPES
          )}. Without environment_scope all are listed.`
        ])
  ]
  return said.length === 0 ? undefined : said.join(' ')
}

/** Most characters of a key or scope. */
const MAX_NAME = 255

/** Whether a scope, in which `*` stands for any text, applies to an environment. */
function covers(scope: string, environment: string): boolean {
  const [start = '', ...parts] = scope.split('*')
  const end = parts.pop()
  if (end === undefined) return scope === environment
  if (!environment.startsWith(start)) return false
  let at = start.length
  for (const part of parts) {
    const found = environment.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return environment.length - at >= end.length && environment.endsWith(end)
}

const hiddenIsMasked: Check = ({ hidden, masked }) => {
  if (hidden === true && masked === false)
    throw new CallProblem('A hidden variable is masked, too: leave masked out, or hidden.')
}

/**
 * Refuses scopes that no environment can have. For an empty scope the forge only says that a value is invalid. An
 * address is never the name of an environment.
 */
const isScope: Check = ({ environment_scope: scope }) => {
  if (isUrl(String(scope)))
    throw new ArgumentError(
      'environment_scope',
      'is an address: give the name of an environment, or a pattern such as review/*'
    )
  if (scope !== undefined && !/\S/.test(String(scope)))
    throw new ArgumentError(
      'environment_scope',
      `is empty, which is no scope: ${EVERYWHERE} means all environments, and so does leaving it out`
    )
}

/** Arguments that identify the variable. */
const selectors = ['project_id', 'group_id', 'key', 'environment_scope'] as const
const selects: ReadonlySet<string> = new Set(selectors)

/**
 * Whether an empty value is left out because the call changes something else: the variable keeps its value. A new
 * variable gets the empty value that was asked for.
 */
const keepsValue = (args: Arguments): boolean => args.value === '' && isBesideOthers(args, 'value', selects)

/**
 * The request that changes a variable. The forge can hide a variable only when it is created.
 * @throws CallProblem if the variable to hide exists already
 */
async function changed(given: Arguments, { forge }: ToolContext): Promise<Arguments> {
  const { hidden, environment_scope, value, ...args } = given
  const filter = scopeOf({ environment_scope })
  if (hidden === true) {
    const query = queryOf({ filter: { environment_scope: filter.environment_scope } })
    const place = requestTo('GET {PG}/variables/{.key}', args, query)
    const exists = await forge.send(place).then(
      () => true,
      error => {
        if (isStatus(error, [404])) return false
        throw error
      }
    )
    if (exists)
      throw new CallProblem(
        `${args.key} exists in scope ${filter.environment_scope}, and a variable can be hidden only when it is made. Nothing was changed: delete it first, or leave hidden out.`
      )
  }
  return keepsValue(given) ? { ...args, filter } : { ...args, value, filter }
}

/** The request that creates a variable, because there was none to change. */
async function madeInstead({ hidden, masked, ...args }: Arguments, context: ToolContext): Promise<Arguments> {
  if (args.value === undefined) throw await noneToChange(args, context)
  const fault = faultOfMade(String(args.environment_scope ?? ''))
  if (fault !== undefined) throw new ArgumentError('environment_scope', fault)
  return hidden === true ? { ...args, masked_and_hidden: true } : { ...args, masked }
}

/**
 * Names the settings that stayed as they were.
 * @param value the variable as the forge has it after the change
 */
function kept(value: unknown, args: Arguments): string | undefined {
  const { hidden, key } = args
  const said = [
    ...(keepsValue(args) ? [secretStays('value')] : []),
    ...(hidden === false && fieldsOf(value).hidden === true
      ? [
          `${key} stays hidden: a forge decides that when a variable is made. To be seen it has to be deleted and made anew.`
        ]
      : [])
  ]
  return said.length === 0 ? undefined : said.join(' ')
}

export const variableRows: readonly ToolRow[] = [
  rest({
    name: 'list_variables',
    class: 'read',
    title: 'CI variables',
    summary: 'List CI variables; for Maintainers, of a group Owners.',
    input: Type.Object({
      ...ProjectOrGroup,
      environment_scope: optional(text('Only these')),
      include_values: optional(flag('Masked ones, too')),
      ...Page
    }),
    request: 'GET {PG}/variables',
    local: ['environment_scope', 'include_values'],
    whole: { with: 'environment_scope' },
    shape: shownVariables,
    notice: ofOtherScopes,
    record: 'variable',
    reveals: ['include_values'],
    advice: { 403: roles }
  }),
  rest({
    name: 'set_variable',
    class: 'write',
    title: 'Set CI variable',
    summary: 'Change a CI variable, or make it.',
    input: Type.Object({
      ...ProjectOrGroup,
      key: NewKey,
      value: optional(variableValue('Never given back')),
      environment_scope: Scope,
      variable_type: optional(oneOf(['env_var', 'file'])),
      protected: optional(flag('Protected refs only')),
      masked: optional(flag('In job logs')),
      hidden: optional(flag('When it is made')),
      raw: optional(flag('$OTHER is not expanded')),
      description: optional(inert(text()))
    }),
    check: [someChange(...selectors), hiddenIsMasked, isScope],
    request: 'PUT {PG}/variables/{.key}',
    adapt: changed,
    orElse: {
      request: 'POST {PG}/variables',
      adapt: madeInstead,
      is: value => fieldsOf(value).message === undefined,
      notice: ofMade
    },
    notice: kept,
    shape: value => withoutValue(value),
    record: 'variable',
    advice: {
      400: 'A masked value is one line of 8 characters or more, without blanks and most signs: set masked=false, or take another value.',
      403: roles
    }
  }),
  rest({
    name: 'delete_variable',
    class: 'destructive',
    title: 'Delete CI variable',
    summary: 'Delete the variable of one scope.',
    input: Type.Object({ ...ProjectOrGroup, key: Key, environment_scope: Scope }),
    // A forge ignores an empty filter, and would delete a variable of any scope.
    check: [isScope],
    request: 'DELETE {PG}/variables/{.key}',
    adapt: ({ environment_scope, ...args }) => ({ ...args, filter: scopeOf({ environment_scope }) }),
    done: args =>
      `The variable of the scope ${JSON.stringify(scopeOf(args).environment_scope)} is deleted; those of other scopes stay.`,
    reason: otherScopesOf,
    advice: { 403: roles, 404: 'No variable has this key and scope: list_variables shows what there is.' }
  })
]
