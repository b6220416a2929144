/** Argument → what the forge's GraphQL calls it; its REST API has the words of the argument. */
const there = { on_track: 'onTrack', needs_attention: 'needsAttention', at_risk: 'atRisk' } as const

type Health = keyof typeof there

export const healths = Object.keys(there) as readonly Health[] as readonly [Health, ...Health[]]

const here = new Map<unknown, string>(Object.entries(there).map(([ours, theirs]) => [theirs, ours]))

/** @returns as the forge writes it; null for none */
export const healthThere = (health: string): string | null => there[health as Health] ?? null

/** As the argument is written, so that what was read can be written; what the forge may add one day stays as it is. */
export const healthHere = (health: unknown): unknown => here.get(health) ?? health
