import envSchema from 'env-schema'
import { ConfigError } from './config-error.ts'
import { isInMarks } from './quotation-marks.ts'
import { brokenRules } from './rules/rules.ts'
import { type Config, ConfigSchema, factsOf, type Variable, variables } from './schema.ts'
import { insteadOfWord, misplacedToken, tokenHint } from './shown.ts'

/** Values as text, as in an environment. */
export type Settings = Partial<Record<Variable, string>>

/** The variables that are set. Flags win over the environment, and an empty text counts as not set. */
export function gatherSettings(env: NodeJS.ProcessEnv, flags: Settings): Settings {
  const settings: Settings = {}
  for (const variable of variables) {
    const value = flags[variable] ?? env[variable]
    if (value !== undefined && value.trim() !== '') settings[variable] = value.trim()
  }
  return settings
}

/**
 * The settings that somebody has made, from all sources.
 * @param given as gathered: an empty variable sets nothing
 * @param inFile the settings in the file of FORGE_SETTINGS_PATH: they win, and a name without a value there means the
 *   default
 */
export const decidedBy = (given: Settings, inFile: Settings): Settings => ({
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
  ...inFile
})

/**
 * Detects signs that a value did not pass through a shell, which would have removed or filled them in:
 * `docker run --env-file` keeps quotation marks, a client's configuration does not fill in variables that it does not
 * know, and neither expands a home folder.
 */
function unshelled(value = ''): string | undefined {
  if (isInMarks(value)) return 'is in quotation marks, which count as part of it: leave them out'
  if (/^\$\{[^}]*\}$/.test(value))
    return 'has the name of a variable where its value belongs: what starts this program did not put it in'
  if (/^~[/\\]/.test(value))
    return 'begins with ~, which means a home folder to a shell alone: write the whole path'
  return undefined
}

/** Detects what stands for bytes that are no UTF-8: with it a pattern fits nothing, and a secret is another. */
const notUtf8 = (value = ''): string | undefined =>
  value.includes('\uFFFD') ? 'has bytes that are no UTF-8: save the file that sets it as UTF-8' : undefined

/** Detects a token in a variable that is not for tokens: such values may be logged, sent and shown. */
const tokenIn = (variable: Variable, value = ''): string | undefined =>
  factsOf(variable).writeOnly ? undefined : misplacedToken(value)

interface SchemaFault {
  instancePath: string
}

/**
 * Turns settings into the typed configuration, with the library that @fastify/env is made of.
 * @param problems those found before
 * @param tools names of all tools; without them, the names in FORGE_TOOLS are not checked
 * @param isAgain whether the service is already running, with other settings
 * @throws ConfigError that names every bad value and every forbidden combination at once
 */
export function checkSettings(
  settings: Settings,
  problems: readonly string[] = [],
  tools?: readonly string[],
  isAgain = false
): Config {
  const refused = new Map<Variable, string>()
  let config = parse(settings, refused)
  // The library accepts Infinity as a number within any bounds.
  for (const variable of variables)
    if (factsOf(variable).type === 'integer' && !/^\d+$/.test(settings[variable] ?? '0'))
      refused.set(variable, describeFault(variable, settings[variable]))
  for (const variable of variables) {
    const value = settings[variable]
    const fault = unshelled(value) ?? notUtf8(value) ?? tokenIn(variable, value)
    if (fault !== undefined) refused.set(variable, `${variable} ${fault}.`)
  }
  if (refused.size > 0) config = undefined
  // A refused value must not hide other problems, so the rest is checked with the default in its place.
  const rest = Object.fromEntries(Object.entries(settings).filter(([name]) => !refused.has(name as Variable)))
  config ??= parse(rest, new Map())
  const all = [
    ...problems,
    ...refused.values(),
    ...brokenRules(config!, new Set(refused.keys()), tools, isAgain)
  ]
  if (all.length > 0) throw new ConfigError(all)
  return config!
}

function parse(settings: Settings, refused: Map<Variable, string>): Config | undefined {
  try {
    return envSchema<Config>({ schema: ConfigSchema, data: { ...settings }, env: false })
  } catch (error) {
    for (const fault of (error as { errors?: SchemaFault[] }).errors ?? []) {
      const variable = fault.instancePath.slice(1) as Variable
      refused.set(variable, describeFault(variable, settings[variable]))
    }
    return undefined
  }
}

function describeFault(variable: Variable, value: string | undefined): string {
  const { type, enum: values, minimum, maximum, writeOnly } = factsOf(variable)
  const wanted =
    values !== undefined
      ? `one of ${values.join(', ')}`
      : type === 'integer'
        ? `a whole number from ${minimum} to ${maximum}`
        : type === 'boolean'
          ? 'true or false'
          : type
  const transport = variable === 'STREAMABLE_HTTP' ? ' false serves over stdio.' : ''
  return `${variable} must be ${wanted}${writeOnly ? '' : insteadOfWord(value)}.${transport}${writeOnly ? '' : tokenHint(value ?? '')}`
}
