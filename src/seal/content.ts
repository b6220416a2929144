import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Unacceptable } from './kind.ts'

/** Replicas' clocks may be this far apart, in milliseconds. */
export const LEEWAY_MS = 60_000

/** What was in a value: the fields of its kind and when it was made, in milliseconds. */
export type Opened<F extends TProperties> = Static<TObject<F>> & { readonly iat: number }

/** The inside of every sealed and signed value: compact JSON of the fields of its kind and `iat`. */
export class Content<F extends TProperties> {
  readonly #fields: F
  readonly #ttlMs: number
  /** Compiled when the first value comes: most servers never see one of most kinds. */
  #shape: { Check(value: unknown): boolean } | undefined

  /** @param ttlSeconds age up to which a value is accepted; positive and finite */
  constructor(fields: F, ttlSeconds: number) {
    if (!(ttlSeconds > 0 && Number.isFinite(ttlSeconds))) throw new RangeError('ttlSeconds must be positive')
    this.#fields = fields
    this.#ttlMs = ttlSeconds * 1000
  }

  write(fields: Static<TObject<F>>, now: number): string {
    return JSON.stringify({ ...(fields as object), iat: now })
  }

  /** @throws Unacceptable */
  read(text: string, now: number): Opened<F> {
    const value = parse(text)
    this.#shape ??= Compile(
      Type.Object({ ...this.#fields, iat: Type.Integer({ minimum: 0 }) }, { additionalProperties: false })
    )
    if (!this.#shape.Check(value)) throw new Unacceptable('content')
    const { iat } = value as { iat: number }
    if (!this.covers(iat, iat, now)) throw new Unacceptable('time')
    return value as Opened<F>
  }

  /** Whether a value made at some time from `earliest` to `latest` can be neither of the future nor too old. */
  covers(earliest: number, latest: number, now: number): boolean {
    return earliest <= now + LEEWAY_MS && now - latest <= this.#ttlMs
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unacceptable('content')
  }
}
