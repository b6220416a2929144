/** From the argument's word to that of the forge's GraphQL. The REST API uses the argument's words. */
const there = { on_track: 'onTrack', needs_attention: 'needsAttention', at_risk: 'atRisk' } as const

type Health = keyof typeof there

export const healths = Object.keys(there) as readonly Health[] as readonly [Health, ...Health[]]

const here = new Map<unknown, string>(Object.entries(there).map(([ours, theirs]) => [theirs, ours]))

/** @returns the forge's word; null for none */
export const healthThere = (health: string): string | null => there[health as Health] ?? null

/**
 * The argument's word for the forge's, so that a value that was read can be written again. A word that is unknown here
 * stays as it is.
 */
export const healthHere = (health: unknown): unknown => here.get(health) ?? health
