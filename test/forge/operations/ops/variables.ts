import {
  bodyFlag,
  bodyText,
  type Call,
  created,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  queryText,
  refuse
} from '../../http.ts'
import type { CiVariable, Ops } from '../../types.ts'
import { opsOf, type Place } from './place.ts'

const present = (variable: CiVariable) => ({
  variable_type: variable.type,
  key: variable.key,
  value: variable.hidden ? null : variable.value,
  hidden: variable.hidden,
  protected: variable.protected,
  masked: variable.masked,
  raw: variable.raw,
  environment_scope: variable.scope,
  description: variable.description
})

/** Values that can be masked (docs: CI/CD variables, mask a variable). */
const MASKABLE = /^[A-Za-z0-9+/=@:.~_-]{8,}$/

const checkMask = ({ masked, value }: CiVariable) => {
  if (masked && !MASKABLE.test(value)) throw refuse(400, { value: ['is invalid'] })
}

/**
 * Finds a variable. A key may exist in several scopes, which is a conflict without a filter. A blank filter counts as
 * none (Ci::VariablesFinder).
 */
const variableOf = (call: Call, { variables }: Ops, filter: string | undefined): CiVariable => {
  const scope = filter?.trim() ? filter : undefined
  const named = variables.filter(({ key }) => key === call.params.key)
  if (scope === undefined && named.length > 1)
    throw refuse(409, 'There are multiple variables with provided parameters. Please use filter[...]')
  const found = named.find(variable => scope === undefined || variable.scope === scope)
  if (!found) throw notFound('Variable')
  return found
}

const apply = (call: Call, variable: CiVariable): CiVariable => {
  const next: CiVariable = {
    ...variable,
    value: bodyText(call, 'value') ?? variable.value,
    type: bodyText(call, 'variable_type') ?? variable.type,
    protected: bodyFlag(call, 'protected') ?? variable.protected,
    masked: bodyFlag(call, 'masked') ?? variable.masked,
    raw: bodyFlag(call, 'raw') ?? variable.raw,
    description: bodyText(call, 'description') ?? variable.description
  }
  checkMask(next)
  return next
}

const make = (call: Call, ops: Ops) => {
  const key = bodyText(call, 'key') ?? ''
  const scope = bodyText(call, 'environment_scope') ?? '*'
  // HasEnvironmentScope: the scope is stripped, and must be present.
  if (scope.trim() === '') throw refuse(400, { environment_scope: ["can't be blank"] })
  if (!/^\w{1,255}$/.test(key)) throw refuse(400, { key: ["can contain only letters, digits and '_'."] })
  if (ops.variables.some(other => other.key === key && other.scope === scope))
    throw refuse(400, { key: [`(${key}) has already been taken`] })
  const hidden = bodyFlag(call, 'masked_and_hidden') ?? false
  const blank = { type: 'env_var', protected: false, masked: hidden, raw: false, description: null }
  const variable = apply(call, { ...blank, key, scope, hidden, value: '' })
  ops.variables.push(variable)
  return created(present(variable))
}

const filterOf = (call: Call) => (call.body.filter as { environment_scope?: string })?.environment_scope

export const variableOperations = (place: Place): Operations => ({
  [`list_${place}_variables`]: call => paged(call, opsOf(call, place).variables, present),
  [`get_${place}_variable`]: call =>
    ok(present(variableOf(call, opsOf(call, place), queryText(call, 'filter[environment_scope]')))),
  [`create_${place}_variable`]: call => make(call, opsOf(call, place)),
  [`update_${place}_variable`]: call => {
    const variable = variableOf(call, opsOf(call, place), filterOf(call))
    return ok(present(Object.assign(variable, apply(call, variable))))
  },
  [`delete_${place}_variable`]: call => {
    const ops = opsOf(call, place)
    const variable = variableOf(call, ops, queryText(call, 'filter[environment_scope]'))
    ops.variables = ops.variables.filter(other => other !== variable)
    return noContent()
  }
})
