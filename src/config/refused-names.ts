import { distance } from 'fastest-levenshtein'
import { normalizeApiUrl } from '../upstream/hosts/url.ts'
import { hasHomeForge } from './home-forge.ts'
import type { Settings } from './load.ts'
import { asVariable, insteadOf, ofForge, ofOthers, valueFor } from './meant-variable.ts'
import { allMisspelt, blurred, type Misspelt, seenOf, setsNothing } from './misspelt.ts'
import { factsOf, type Variable } from './schema.ts'

/*
 * Names that nobody reads and with which the service must not start: tokens would go to another forge than was meant,
 * or what was forbidden would be allowed.
 */

const URL_NAME = 'FORGE_API_URL'

/** The beginning of a value that is an address, or was to be filled in: other programs have names of FORGE_, too. */
const likeHost = /^(?:https?:\/\/|\$\{|[\w-]+(?:\.[\w-]+)+(?:[:/]|$))/i

/** Whether a name can hardly mean anything but FORGE_API_URL. FORGE_APP_URL is as near, and another program's. */
const isSure = (name: string): boolean =>
  name === URL_NAME ||
  ofForge.test(name) ||
  (name.length !== URL_NAME.length && distance(name, URL_NAME) === 1)

/** Names of this kind alone. GitLab's own programs have others of GITLAB_, and CI jobs have CI_API_V4_URL. */
const ofServer = /^FORGE_|^GITLAB_API_URL$/i

/**
 * Whether a name of this service's kind is set where FORGE_API_URL was meant, and is not: tokens for that forge would go
 * to the default one. Names of other kinds belong to other programs, too.
 */
const isStray = ({ name, value, meant }: Misspelt, settings: Settings): boolean =>
  settings.FORGE_API_URL === undefined &&
  hasHomeForge(settings) &&
  meant === URL_NAME &&
  ofServer.test(asVariable(name)) &&
  isSure(asVariable(name)) &&
  likeHost.test(value) &&
  normalizeApiUrl(value) !== factsOf(URL_NAME).default

/** Variables without which callers may do more. */
const policies: readonly string[] = [
  'FORGE_READ_ONLY_MODE',
  'FORGE_DENIED_TOOLS_REGEX',
  'FORGE_CONFIRM',
  'FORGE_ALLOWED_PROJECT_IDS',
  'FORGE_DENY_SECRET_VALUES'
] satisfies Variable[]
/** The same where callers name forges. */
const policiesOfHosts: readonly string[] = [
  'FORGE_ALLOWED_HOSTS',
  'FORGE_DENY_PRIVATE_ADDRESSES'
] satisfies Variable[]

/** Names by which other servers limit what this one has no setting for. Those of MCP_ are of clients, too. */
const limitsElsewhere = /^(?:FORGE|GITLAB)_(?:OAUTH_ALLOWED_GROUPS|MASKING_ENABLED)$/
/** The same of who may call over the network. Clients have them, too, and hand them on to what they start. */
const limitsPort = /^(?:(?:STREAMABLE_HTTP|SSE)_AUTH_TOKEN|(?:FORGE|GITLAB)_ALLOWED_GROUPS)$/

/** How names begin that no other kind of program has. */
const ofThisKind = /^(?:FORGE|GITLAB)_|^ENABLE_STRICT_/

/** Whether a name restricts what nothing else does then. */
function isLostPolicy({ name, value, meant }: Misspelt, decided: Settings): boolean {
  const large = asVariable(name)
  if (meant === undefined)
    return (
      !setsNothing(value) &&
      (limitsElsewhere.test(large) || (limitsPort.test(large) && decided.STREAMABLE_HTTP !== 'false'))
    )
  const isPolicy =
    policies.includes(meant) || (policiesOfHosts.includes(meant) && decided.ENABLE_DYNAMIC_API_URL === 'true')
  return (
    isPolicy &&
    ofThisKind.test(asVariable(name)) &&
    decided[meant as Variable] === undefined &&
    restricts(meant as Variable, name, value)
  )
}

/** Whether a name can mean nothing but the variable that others call so. */
const isSlip = (name: string, value: string): boolean =>
  ofOthers(name, value) !== undefined || !asVariable(name).startsWith('FORGE_')

/** Variables whose value is what is forbidden, so that none of it is nothing; none of what is allowed is everything. */
const forbidding: ReadonlySet<Variable> = new Set<Variable>(['FORGE_CONFIRM', 'FORGE_DENIED_TOOLS_REGEX'])

/** Words of policies that alone say nothing of what they limit. */
const general = /^FORGE_(?:IDS?|REGEXP?)$/

/** Whether a value restricts something. FORGE_CONFIG is as near to FORGE_CONFIRM as a slip, and another program's. */
function restricts(variable: Variable, name: string, value: string): boolean {
  const { type, enum: choices } = factsOf(variable)
  if (setsNothing(value) || (forbidding.has(variable) && /^(?:never|none)$/i.test(value))) return false
  const large = asVariable(name)
  if (general.test(large)) return false
  // A single word, as in FORGE_MODE, is other programs', too.
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
  /** A sentence, without the value. */
  readonly says: string
}

/**
 * Finds the names with which the service must not start.
 * @param decided what is set, from wherever it is
 * @param dropped names that stand in other files where nobody reads them
 */
export function refusedNames(
  env: NodeJS.ProcessEnv,
  decided: Settings,
  dropped: readonly Refused[] = []
): Refused[] {
  const all = allMisspelt(env, decided)
  // Where a line of a file made the name, that says more, unless it is for a character that is not seen there.
  const unclear = blurred(env, decided)
  const isUnseen = ({ name }: Refused) =>
    unclear.some(one => one.name === name && seenOf(one.written) === name)
  const inLines = dropped.filter(one => !isUnseen(one))
  return [
    ...unclear
      .filter(({ name }) => !inLines.some(one => one.name === name))
      .map(({ name, written }) => ({ name, says: unclearIn(name, written) })),
    ...inLines,
    ...all
      .filter(one => isStray(one, decided))
      .map(({ name }) => ({
        name,
        says: `${name} is no variable of this service, and FORGE_API_URL, which may be meant, is not set: tokens would go to ${factsOf(URL_NAME).default}. Set FORGE_API_URL, also if that is the forge, or unset ${name}.`
      })),
    ...all
      .filter(one => isLostPolicy(one, decided))
      .map(({ name, value, meant }) => ({
        name,
        says:
          meant === undefined
            ? `${name} is no variable of this service, and what it keeps out would be let in: ${insteadOf(name)} Unset ${name} to serve without.`
            : `${name} is no variable of this service, and ${meant}, which may be meant, is not set: what is to be forbidden would be allowed. ${[valueFor(name, value), `Set ${meant}, or unset ${name}.`].filter(Boolean).join(' ')}`
      }))
  ]
}

function unclearIn(name: string, written: string): string {
  if (written.startsWith('\uFEFF'))
    return `${name} is not read: the file that it is from begins with a byte order mark, which is taken for a part of the name. Save it without one.`
  return seenOf(written) === name
    ? `${name} is not read: its name is written with a character that is not seen. Write it anew.`
    : `${name} is not read: other words or signs stand with it in its name, such as export. Give the name alone.`
}
