import type { IncomingHttpHeaders } from 'node:http'
import type { Surface } from '../catalog/surface.ts'
import { bitOf, isToolsetId, toolsetIds } from '../catalog/toolset-id.ts'
import type { View } from '../catalog/view.ts'
import { entries } from '../config/schema.ts'
import { nearest } from '../nearest.ts'
import type { Output } from '../results/result.ts'
import { Refusal } from './refusal.ts'

const PREFIX = 'x-forge-'
const ownHeaders = ['API-URL', 'Output', 'Readonly', 'Tool-Surface', 'Toolsets']
const known = new Set(ownHeaders.map(name => PREFIX + name.toLowerCase()))

/**
 * A header that is nearly one of ours: who sends X-Forge-Read-Only would believe to be kept from changing anything. What
 * is near none of them may be of a gateway.
 * @throws Refusal 400
 */
export function checkSpelling(headers: IncomingHttpHeaders): void {
  for (const name in headers) {
    if (!name.startsWith(PREFIX) || known.has(name)) continue
    const near = nearest(name.slice(PREFIX.length), ownHeaders)
    if (near !== undefined)
      throw new Refusal(
        400,
        `${name.slice(0, 100)} is no header of this service. Did you mean X-Forge-${near}?`
      )
  }
}

/**
 * What a request asks to be kept to, by the headers X-Forge-Toolsets (ids, comma-separated) and
 * X-Forge-Readonly. They take away and never add: a gateway can hand out less than the server offers.
 * @throws Refusal 400 for an id that is no toolset, which would otherwise silently hide everything, and for other words
 * that are none
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
  if (unknown.length > 0) throw new Refusal(400, unknownToolsets(unknown))
  return ids.filter(isToolsetId).reduce((bits, id) => bits | bitOf(id), 0)
}

/** Names of presets are among them: they are for the operator, and a header names toolsets alone. */
function unknownToolsets(unknown: readonly string[]): string {
  const near = nearest(unknown[0]!, toolsetIds)
  const guess = near === undefined ? '' : ` Did you mean ${near}?`
  return `X-Forge-Toolsets may list ${toolsetIds.join(', ')}, not ${unknown.join(', ').slice(0, 100)}.${guess}`
}

/** @param header X-Forge-Tool-Surface as sent; it changes what is listed, not what may be called. @throws Refusal 400 */
function surfaceOf(header: string | undefined): Surface | undefined {
  const word = header?.trim().toLowerCase()
  if (word === undefined || word === 'full' || word === 'search') return word
  throw new Refusal(400, `X-Forge-Tool-Surface may be full or search, not ${word.slice(0, 100)}.`)
}

/** Gateways write a flag in one of these ways. */
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

/** @param header X-Forge-Readonly as sent. @throws Refusal 400 */
function isReadOnly(header: string | undefined): boolean {
  if (header === undefined) return false
  const word = header.trim().toLowerCase()
  if (Object.hasOwn(flags, word)) return flags[word]!
  throw new Refusal(400, `X-Forge-Readonly may be true or false, not "${word.slice(0, 100)}".`)
}

/** @param header X-Forge-Output as sent. @throws Refusal 400 for a word that is neither */
export function outputOf(header: string | undefined): Output | undefined {
  const word = header?.trim().toLowerCase()
  if (word === undefined || word === 'full' || word === 'compact') return word
  throw new Refusal(400, `X-Forge-Output may be full or compact, not ${word.slice(0, 100)}.`)
}
