import type { ToolContext } from '../context.ts'
import { requestTo } from '../requests/template.ts'

/** In milliseconds. A forge changes its release or edition only when it restarts. */
const FRESH_MS = 600_000
const METADATA = 'metadata'
/** The form of a release, which becomes part of our own sentences. */
const RELEASE = /^[\w.+-]{1,60}$/

/** What a forge reports about itself. */
interface Metadata {
  /** Its release, such as 19.2.1-ee; undefined if it is not reported. */
  readonly version: string | undefined
  /** False for the free edition; undefined if it is not reported. */
  readonly enterprise: boolean | undefined
}

/**
 * Asks the forge for its release and edition, once in ten minutes for each caller.
 * @returns undefined if the forge is too old to report them, or does not report them to this token
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
  const { value } = await forge.send(requestTo('GET /metadata', {}))
  const { version, enterprise } = (value ?? {}) as Record<string, unknown>
  return {
    version: typeof version === 'string' && RELEASE.test(version) ? version : undefined,
    enterprise: typeof enterprise === 'boolean' ? enterprise : undefined
  }
}

/** What the forge has reported already; undefined if it was not asked, or too long ago. */
export const knownMetadata = ({ known }: Pick<ToolContext, 'known'>): Metadata | undefined =>
  known.recall(METADATA) as Metadata | undefined
