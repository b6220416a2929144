import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Unacceptable, type UnsealReason } from './kind.ts'

/** How far the clocks of replicas may differ, in milliseconds. */
export const LEEWAY_MS = 60_000

/** Content of a value: the fields of its kind, and the time when it was made, in milliseconds. */
export type Opened<F extends TProperties> = Static<TObject<F>> & { readonly iat: number }

/** The content of every sealed and signed value: compact JSON of the fields of its kind and `iat`. */
export class Content<F extends TProperties> {
  readonly #fields: F
  readonly #ttlMs: number
  /** Compiled for the first value, because most servers never get a value of most kinds. */
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
    this.checkTime(iat, iat, now)
    return value as Opened<F>
  }

  /** @throws Unacceptable for a value made between `earliest` and `latest`, if it is from the future or too old */
  checkTime(earliest: number, latest: number, now: number): void {
    const fault = this.untimely(earliest, latest, now)
    if (fault !== undefined) throw new Unacceptable(fault)
  }

  /** Why a value made between `earliest` and `latest` is not accepted at this time. */
  untimely(earliest: number, latest: number, now: number): UnsealReason | undefined {
    if (earliest > now + LEEWAY_MS) return 'future'
    return now - latest > this.#ttlMs ? 'time' : undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unacceptable('content')
  }
}
