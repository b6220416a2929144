import { HOUR_MS } from '../../base/units.ts'
import { ownText } from '../../collections/own-text.ts'
import { ForgeError } from '../../upstream/errors.ts'
import type { ToolContext } from '../context.ts'
import { metadataOf } from './metadata.ts'

type Asks = Pick<ToolContext, 'forge' | 'known'>

/** In milliseconds. The schema of a forge changes only when it restarts. */
const FRESH_MS = HOUR_MS

/**
 * What the GraphQL schema of a forge contains; documents are chosen by it. A forge refuses a whole document for one
 * field that it does not have, so fields of newer releases and other editions must be left out.
 */
export class ForgeSchema {
  readonly #asks: Asks
  readonly #lacking: Set<string>
  readonly #wanted = new Set<string>()
  #enterprise: Promise<boolean> | undefined

  private constructor(asks: Asks, lacking: Set<string>) {
    this.#asks = asks
    this.#lacking = lacking
  }

  /** @returns what is known of the schema from earlier calls of this caller */
  static async of(asks: Asks): Promise<ForgeSchema> {
    const learned = async () => new Set<string>()
    return new ForgeSchema(asks, await asks.known.remember('what the schema lacks', learned, FRESH_MS))
  }

  /** Whether the forge reports the Enterprise edition; false if it does not report its edition. */
  isEnterprise(): Promise<boolean> {
    this.#enterprise ??= metadataOf(this.#asks).then(metadata => metadata?.enterprise === true)
    return this.#enterprise
  }

  /** @param part a type, or a field as `Type.field`; assumed to exist until the forge refuses it */
  has(part: string): boolean {
    this.#wanted.add(part)
    return !this.#lacking.has(part)
  }

  /** @returns whether the error says that a part that `has` was asked about does not exist */
  learn(error: unknown): boolean {
    if (!(error instanceof ForgeError) || error.fault !== 'graphql') return false
    const missing = partsIn(error.message).filter(part => this.#wanted.has(part) && !this.#lacking.has(part))
    for (const part of missing) this.#lacking.add(ownText(part))
    return missing.length > 0
  }
}

/** The wording of graphql-ruby, which forges use. */
function partsIn(message: string): string[] {
  const fields = message.matchAll(/Field '(\w{1,60})' doesn't exist on type '(\w{1,60})'/g)
  const types = message.matchAll(/No such type (\w{1,60})/g)
  return [...[...fields].map(([, field, type]) => `${type}.${field}`), ...[...types].map(([, type]) => type!)]
}
