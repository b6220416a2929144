import type { ToolContext } from './context.ts'

/** Milliseconds; a forge changes its release or edition by a restart. */
const FRESH_MS = 600_000
const METADATA = 'metadata'
/** What a release looks like: it stands in a sentence of ours. */
const RELEASE = /^[\w.+-]{1,60}$/

/** What a forge says of itself. */
export interface Metadata {
  /** Its release, such as 19.2.1-ee; undefined where it does not say. */
  readonly version: string | undefined
  /** False is the free edition; undefined where it does not say. */
  readonly enterprise: boolean | undefined
}

/**
 * Asks the forge what it is, once in ten minutes for each caller.
 * @returns undefined where it does not tell: it is too old to, or the token may not ask
 */
export async function metadataOf({
  forge,
  known
}: Pick<ToolContext, 'forge' | 'known'>): Promise<Metadata | undefined> {
  try {
    return await known.remember(METADATA, async () => read(forge), FRESH_MS)
  } catch {
    return undefined
  }
}

async function read(forge: ToolContext['forge']): Promise<Metadata> {
  const { value } = await forge.send({ method: 'GET', path: '/metadata', template: '/metadata' })
  const { version, enterprise } = (value ?? {}) as Record<string, unknown>
  return {
    version: typeof version === 'string' && RELEASE.test(version) ? version : undefined,
    enterprise: typeof enterprise === 'boolean' ? enterprise : undefined
  }
}

/** What the forge has said of itself already; undefined when it was not asked, or too long ago. */
export const knownMetadata = ({ known }: Pick<ToolContext, 'known'>): Metadata | undefined =>
  known.recall(METADATA) as Metadata | undefined
