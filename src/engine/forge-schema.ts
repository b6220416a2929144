import { ownText } from '../own-text.ts'
import { ForgeError } from '../upstream/errors.ts'
import type { ToolContext } from './context.ts'
import { metadataOf } from './metadata.ts'

type Asks = Pick<ToolContext, 'forge' | 'known'>

/** As long as the release of a forge: it gets another schema by a restart. */
const FRESH_MS = 3_600_000

/**
 * What one forge's GraphQL schema has, as a document asks before it is chosen. A forge refuses the whole of a document
 * with one field that it does not have: those of newer releases and of another edition have to be left out.
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

  /** @returns the schema as far as this caller has learned of it */
  static async of(asks: Asks): Promise<ForgeSchema> {
    const learned = async () => new Set<string>()
    return new ForgeSchema(asks, await asks.known.remember('what the schema lacks', learned, FRESH_MS))
  }

  /** Whether the forge says that it is the Enterprise edition; one that does not say counts as not. */
  isEnterprise(): Promise<boolean> {
    this.#enterprise ??= metadataOf(this.#asks).then(metadata => metadata?.enterprise === true)
    return this.#enterprise
  }

  /** @param part a type, or a field as `Type.field`; there until the forge has said that it is not */
  has(part: string): boolean {
    this.#wanted.add(part)
    return !this.#lacking.has(part)
  }

  /** @returns whether the error says that something of what was asked for by `has` is not there */
  learn(error: unknown): boolean {
    if (!(error instanceof ForgeError) || error.fault !== 'graphql') return false
    const missing = partsIn(error.message).filter(part => this.#wanted.has(part) && !this.#lacking.has(part))
    for (const part of missing) this.#lacking.add(ownText(part))
    return missing.length > 0
  }
}

/** The words of graphql-ruby, which a forge's messages are. */
function partsIn(message: string): string[] {
  const fields = message.matchAll(/Field '(\w{1,60})' doesn't exist on type '(\w{1,60})'/g)
  const types = message.matchAll(/No such type (\w{1,60})/g)
  return [...[...fields].map(([, field, type]) => `${type}.${field}`), ...[...types].map(([, type]) => type!)]
}
