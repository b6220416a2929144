import type { IncomingHttpHeaders } from 'node:http'
import { nearest } from '../../base/nearest.ts'
import { isPreset } from '../../catalog/policy/presets.ts'
import type { Surface } from '../../catalog/policy/surface.ts'
import type { View } from '../../catalog/policy/view.ts'
import { entries, variables } from '../../config/schema.ts'
import { bitOf, isToolsetId, toolsetIds } from '../../engine/rows/toolset-id.ts'
import type { Output } from '../../results/result.ts'
import { Refusal } from '../messages/refusal.ts'

/** The headers of this service without X-Forge-, and for each a part that identifies it in a misspelled name. */
const ownHeaders = {
  'API-URL': 'url',
  Output: 'output',
  Readonly: 'readonly',
  'Tool-Surface': 'surface',
  Toolsets: 'toolset'
} as const
const names = Object.keys(ownHeaders)
const known = new Set(names.map(name => `x-forge-${name.toLowerCase()}`))

/**
 * How a name begins that may be meant for a header of this service: nearly like X-Forge-, with a letter missing,
 * doubled or swapped, or like the headers of other servers for such forges.
 */
const beginning =
  /^(?:(?:x[-_.]*)?(?:forges?|gitlab)|x[-_.]+(?:forg|frge|foge|froge|fogre|foreg|fforge|foorge|forrge|forgge))[-_.]*(?=.)/
/** The letters of a name after such a beginning, without separators. */
const lettersOf = (rest: string): string => rest.replace(/[-_.]/g, '')
/**
 * Settings that have no header, by the letters of the header that somebody may send after reading about the setting.
 */
const settings = new Map(
  variables
    .filter(name => name.startsWith('FORGE_'))
    .map(name => [lettersOf(name.slice('FORGE_'.length).toLowerCase()), name])
)
/** Words that somebody may use for the forge to call. */
const forge = /^(?:api|host|server|endpoint|instance)$/
/** The only such name that a forge itself uses, for its webhooks. */
const ofWebhooks = 'x-gitlab-instance'

/**
 * Refuses a header whose name is nearly that of a header of this service, or that of a setting: somebody who sends
 * X-Forge-Read-Only would believe that nothing can be changed. Names that are not similar may be those of a gateway.
 * @param choosesForge whether a header may name the forge (ENABLE_DYNAMIC_API_URL); otherwise that header is not
 * suggested
 * @throws Refusal 400
 */
export function checkSpelling(headers: IncomingHttpHeaders, choosesForge: boolean): void {
  for (const name in headers) {
    if (!beginning.test(name) || known.has(name) || name === ofWebhooks) continue
    const rest = name.replace(beginning, '')
    const letters = lettersOf(rest)
    const near = forge.test(letters)
      ? 'API-URL'
      : (Object.entries(ownHeaders).find(([, part]) => letters.includes(part))?.[0] ?? nearest(rest, names))
    const no = `${name.slice(0, 100)} is no header of this service`
    if (near === 'API-URL' && !choosesForge)
      throw unusable(
        `${no}, which asks one forge alone, that of its FORGE_API_URL: leave the header out.`,
        'A header is nearly X-Forge-API-URL, and ENABLE_DYNAMIC_API_URL is off.'
      )
    if (near !== undefined)
      throw unusable(`${no}. Did you mean X-Forge-${near}?`, `A header is nearly X-Forge-${near}.`)
    const setting = settings.get(letters)
    if (setting !== undefined)
      throw unusable(
        `${no}: ${setting} is a setting of the server itself. Leave the header out.`,
        `A header has the name of ${setting}.`
      )
  }
}

/** @param hint the same for the log, without anything that the caller sent */
const unusable = (message: string, hint: string) => new Refusal(400, message, { hint })

/**
 * Narrows a view by the headers of a request: X-Forge-Toolsets (ids, comma-separated), X-Forge-Readonly and
 * X-Forge-Tool-Surface. The first two only remove tools and never add any, so a gateway can offer less than the server
 * does.
 * @throws Refusal 400 for an unknown toolset id, which would otherwise silently hide everything, and for other invalid
 * values
 */
export function narrow(
  view: View,
  toolsets: string | undefined,
  readOnly: string | undefined,
  surface: string | undefined
): View {
  if (toolsets === undefined && readOnly === undefined && surface === undefined) return view
  return {
    ...view,
    surface: surfaceOf(surface) ?? view.surface,
    within: toolsets === undefined ? view.within : view.within & bitsOf(toolsets),
    readOnly: isReadOnly(readOnly) || view.readOnly
  }
}

function bitsOf(header: string): number {
  const ids = entries(header.toLowerCase())
  const unknown = ids.filter(id => !isToolsetId(id))
  if (unknown.length > 0)
    throw unusable(unknownToolsets(unknown), 'X-Forge-Toolsets names a toolset that there is not.')
  return ids.filter(isToolsetId).reduce((bits, id) => bits | bitOf(id), 0)
}

/**
 * The message for unknown toolsets. Names of presets are unknown here, too: presets are for the operator, while this
 * header names only toolsets.
 */
function unknownToolsets(unknown: readonly string[]): string {
  const [first] = unknown
  const near = nearest(first!, toolsetIds)
  const guess = near === undefined ? '' : ` Did you mean ${near}?`
  const preset = unknown.find(isPreset)
  const meant =
    preset === undefined
      ? guess
      : ` ${preset} is a preset, which FORGE_TOOLSETS takes and this header does not.`
  const advice = first === 'all' ? ' All are offered without the header.' : meant
  return `X-Forge-Toolsets may list ${toolsetIds.join(', ')}, separated by commas, not ${unknown.join(', ').slice(0, 100)}.${advice}`
}

/**
 * @param header X-Forge-Tool-Surface as sent; it changes which tools are listed, not which may be called
 * @throws Refusal 400
 */
function surfaceOf(header: string | undefined): Surface | undefined {
  const word = header?.trim().toLowerCase()
  if (word === undefined || word === 'full' || word === 'search') return word
  throw unusable(
    `X-Forge-Tool-Surface may be full or search, not ${word.slice(0, 100)}.`,
    'X-Forge-Tool-Surface is neither full nor search.'
  )
}

/** The spellings of a flag that gateways use. */
const flags: Readonly<Record<string, boolean>> = {
  true: true,
  1: true,
  yes: true,
  on: true,
  false: false,
  0: false,
  no: false,
  off: false
}

/**
 * @param header X-Forge-Readonly as sent
 * @throws Refusal 400
 */
function isReadOnly(header: string | undefined): boolean {
  if (header === undefined) return false
  const word = header.trim().toLowerCase()
  if (Object.hasOwn(flags, word)) return flags[word]!
  throw unusable(
    `X-Forge-Readonly may be true or false, not "${word.slice(0, 100)}".`,
    'X-Forge-Readonly is neither true nor false.'
  )
}

/**
 * @param header X-Forge-Output as sent
 * @throws Refusal 400 for any other word
 */
export function outputOf(header: string | undefined): Output | undefined {
  const word = header?.trim().toLowerCase()
  if (word === undefined || word === 'full' || word === 'compact') return word
  throw unusable(
    `X-Forge-Output may be full or compact, not ${word.slice(0, 100)}.`,
    'X-Forge-Output is neither full nor compact.'
  )
}
