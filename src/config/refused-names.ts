import { distance } from 'fastest-levenshtein'
import { normalizeApiUrl } from '../upstream/hosts/url.ts'
import { hasHomeForge } from './home-forge.ts'
import type { Settings } from './load.ts'
import { asVariable, insteadOf, isOnlyInWords, ofForge, ofOthers, valueFor } from './meant-variable.ts'
import {
  allMisspelt,
  blurred,
  firstOfEach,
  type InLine,
  type Misspelt,
  seenOf,
  setsNothing
} from './misspelt.ts'
import { isPolicy } from './policies.ts'
import { factsOf, type Variable } from './schema.ts'

/*
 * Names that nobody reads and with which the service must not start: tokens would go to another forge than intended, or
 * forbidden things would be allowed.
 */

const URL_NAME = 'FORGE_API_URL'

/**
 * Matches a value that begins as an address, or as a variable that was not filled in: other programs have names with
 * FORGE_, too.
 */
const likeHost = /^(?:https?:\/\/|\$\{|[\w-]+(?:\.[\w-]+)+(?:[:/]|$))/i

/**
 * Whether a name can hardly mean anything but FORGE_API_URL. FORGE_APP_URL is as similar, but belongs to another
 * program.
 */
const isSure = (name: string): boolean =>
  name === URL_NAME ||
  ofForge.test(name) ||
  (name.length !== URL_NAME.length && distance(name, URL_NAME) === 1)

/**
 * Names that only servers of this kind use. GitLab's own programs have other names with GITLAB_, and CI jobs have
 * CI_API_V4_URL.
 */
const ofServer = /^FORGE_|^GITLAB_API_URL$/i

/**
 * Whether a name of this service's kind is set instead of FORGE_API_URL: tokens for that forge would go to the default
 * one. Names of other kinds also belong to other programs.
 */
const isStray = ({ name, value, meant }: Misspelt, settings: Settings): boolean =>
  settings.FORGE_API_URL === undefined &&
  hasHomeForge(settings) &&
  meant === URL_NAME &&
  ofServer.test(asVariable(name)) &&
  isSure(asVariable(name)) &&
  likeHost.test(value) &&
  normalizeApiUrl(value) !== factsOf(URL_NAME).default

/** Names of other servers for limits that have no setting here. Names with MCP_ also belong to clients. */
const limitsElsewhere = /^(?:FORGE|GITLAB)_(?:OAUTH_ALLOWED_GROUPS|MASKING_ENABLED)$/
/**
 * The same for limits on who may call over the network. Clients have these names, too, and pass them on to programs
 * that they start.
 */
const limitsPort = /^(?:(?:STREAMABLE_HTTP|SSE)_AUTH_TOKEN|(?:FORGE|GITLAB)_ALLOWED_GROUPS)$/

/** Prefixes that no other kind of program uses. */
const ofThisKind = /^(?:FORGE|GITLAB)_|^ENABLE_STRICT_/

/** Whether a name was meant to restrict something that nothing else restricts. */
function isLostPolicy({ name, value, meant }: Misspelt, decided: Settings): boolean {
  const large = asVariable(name)
  if (meant === undefined)
    return (
      !setsNothing(value) &&
      (limitsElsewhere.test(large) || (limitsPort.test(large) && decided.STREAMABLE_HTTP !== 'false'))
    )
  return (
    isPolicy(meant, decided) &&
    ofThisKind.test(asVariable(name)) &&
    !isOnlyInWords(name, value) &&
    decided[meant as Variable] === undefined &&
    restricts(meant as Variable, name, value)
  )
}

/** Whether a name can only mean the variable for which others use it. */
const isSlip = (name: string, value: string): boolean =>
  ofOthers(name, value) !== undefined || !asVariable(name).startsWith('FORGE_')

/**
 * Variables that list what is forbidden: the value `none` forbids nothing. For variables that list what is allowed,
 * `none` allows nothing.
 */
const forbidding: ReadonlySet<Variable> = new Set<Variable>(['FORGE_CONFIRM', 'FORGE_DENIED_TOOLS_REGEX'])

/** Words of policies that do not say what they limit. */
const general = /^FORGE_(?:IDS?|REGEXP?)$/

/**
 * Whether a value restricts something. FORGE_CONFIG is as similar to FORGE_CONFIRM as a typing error, but belongs to
 * another program.
 */
function restricts(variable: Variable, name: string, value: string): boolean {
  const { type, enum: choices } = factsOf(variable)
  if (setsNothing(value) || (forbidding.has(variable) && /^(?:never|none)$/i.test(value))) return false
  const large = asVariable(name)
  if (general.test(large)) return false
  // Other programs also use names with a single word, as FORGE_MODE.
  if (type === 'boolean')
    return (
      isSlip(name, value) ||
      asVariable(name).split('_').length > 2 ||
      /^(?:1|on|readonly|true|yes)$/i.test(value)
    )
  return choices === undefined || choices.includes(value.toLowerCase()) || isSlip(name, value)
}

/** A name with which the service must not start. */
interface Refused {
  readonly name: string
  /** A sentence that does not contain the value. */
  readonly says: string
}

/**
 * Finds the names with which the service must not start.
 * @param decided the settings from all sources
 * @param dropped names of variables in files, where nobody reads them
 * @param lines settings under other names in lines of files that Node.js does not read
 * @returns each name once
 */
export function refusedNames(
  env: NodeJS.ProcessEnv,
  decided: Settings,
  dropped: readonly Refused[] = [],
  lines: readonly InLine[] = []
): Refused[] {
  const all = allMisspelt(env, decided, lines)
  // If a line of a file contains the name, the message about the line says more, unless an invisible character is the
  // fault.
  const unclear = blurred(env, decided)
  const isUnseen = ({ name }: Refused) =>
    unclear.some(one => one.name === name && seenOf(one.written) === name)
  const inLines = dropped.filter(one => !isUnseen(one))
  return firstOfEach([
    ...unclear
      .filter(({ name }) => !inLines.some(one => one.name === name))
      .map(({ name, written }) => ({ name, says: unclearIn(name, written) })),
    ...inLines,
    ...all
      .filter(one => isStray(one, decided))
      .map(({ name, stands }) => ({
        name,
        says: sentences(
          `${name} is no variable of this service, and FORGE_API_URL, which may be meant, is not set: tokens would go to ${factsOf(URL_NAME).default}. Set FORGE_API_URL, also if that is the forge, or unset ${name}.`,
          stands
        )
      })),
    ...all
      .filter(one => isLostPolicy(one, decided))
      .map(({ name, value, meant, stands }) => ({
        name,
        says:
          meant === undefined
            ? sentences(
                `${name} is no variable of this service, and what it keeps out would be let in: ${insteadOf(name)} Unset ${name} to serve without.`,
                stands
              )
            : sentences(
                `${name} is no variable of this service, and ${meant}, which may be meant, is not set: what is to be forbidden would be allowed.`,
                valueFor(name, value),
                `Set ${meant}, or unset ${name}.`,
                stands
              )
      }))
  ])
}

const sentences = (...all: readonly (string | undefined)[]): string => all.filter(Boolean).join(' ')

function unclearIn(name: string, written: string): string {
  if (written.startsWith('\uFEFF'))
    return `${name} is not read: the file that it is from begins with a byte order mark, which is taken for a part of the name. Save it without one.`
  return seenOf(written) === name
    ? `${name} is not read: its name is written with a character that is not seen. Write it anew.`
    : `${name} is not read: other words or signs stand with it in its name, such as export. Give the name alone.`
}
