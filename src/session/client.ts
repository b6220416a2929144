/*
 * What a client has declared about itself, in the form in which sessions store it: in few bits, because these are also
 * part of a session id.
 */

/**
 * Features that a server may request from a client, one bit each; new ones must be added at the end. `elicitation`
 * means with forms.
 */
const capabilities = ['elicitation', 'sampling', 'roots'] as const

export type ClientCapability = (typeof capabilities)[number]

const bitOf = (capability: ClientCapability): number => 1 << capabilities.indexOf(capability)

/**
 * Reads a client's capabilities.
 * @param declared ClientCapabilities of initialize, or of a request's envelope
 * @returns one bit for each
 */
export function readCapabilities(declared: Readonly<Record<string, unknown>>): number {
  return capabilities.reduce(
    (bits, capability) => (isDeclared(declared, capability) ? bits | bitOf(capability) : bits),
    0
  )
}

function isDeclared(declared: Readonly<Record<string, unknown>>, capability: ClientCapability): boolean {
  const value = declared[capability]
  if (typeof value !== 'object' || value === null) return false
  // An empty elicitation capability means forms, which used to be the only kind.
  return capability !== 'elicitation' || 'form' in value || !('url' in value)
}

/** Whether a set of capabilities contains one. */
export const hasCapability = (bits: number | undefined, capability: ClientCapability): boolean =>
  ((bits ?? 0) & bitOf(capability)) !== 0

/** Severities of MCP's log messages, from RFC 5424, least severe first. */
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

/** Whether a value is the name of a severity. */
export const isLogLevel = (value: unknown): value is LogLevel =>
  (logLevels as readonly unknown[]).includes(value)

/** Whether a client that wants messages of one severity and above gets those of another. */
export const isToldOf = (wanted: LogLevel, level: LogLevel): boolean =>
  logLevels.indexOf(level) >= logLevels.indexOf(wanted)
