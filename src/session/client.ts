/*
 * What a client has declared of itself, in the form in which sessions keep it: few bits, as they travel in a session
 * id too.
 */

/** What a server may ask of a client, one bit each; new ones go to the end. `elicitation` is by form. */
const capabilities = ['elicitation', 'sampling', 'roots'] as const

export type ClientCapability = (typeof capabilities)[number]

const bitOf = (capability: ClientCapability): number => 1 << capabilities.indexOf(capability)

/** @param declared ClientCapabilities of initialize, or of a request's envelope @returns bits */
export function readCapabilities(declared: Readonly<Record<string, unknown>>): number {
  return capabilities.reduce(
    (bits, capability) => (isDeclared(declared, capability) ? bits | bitOf(capability) : bits),
    0
  )
}

function isDeclared(declared: Readonly<Record<string, unknown>>, capability: ClientCapability): boolean {
  const value = declared[capability]
  if (typeof value !== 'object' || value === null) return false
  // Nothing said of its kinds means a form, which once was the only one.
  return capability !== 'elicitation' || 'form' in value || !('url' in value)
}

/** Whether a set of capabilities has one. */
export const hasCapability = (bits: number | undefined, capability: ClientCapability): boolean =>
  ((bits ?? 0) & bitOf(capability)) !== 0

/** Severities of MCP's log messages, by RFC 5424, least severe first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency'
] as const

export type LogLevel = (typeof logLevels)[number]

export const isLogLevel = (value: unknown): value is LogLevel =>
  (logLevels as readonly unknown[]).includes(value)

/** Whether who wants one level is told of another. */
export const isToldOf = (wanted: LogLevel, level: LogLevel): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(wanted)
