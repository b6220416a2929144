import type { TProperties } from 'typebox'
import type { Purpose } from './keyring.ts'
import type { Kind, Workshop } from './kind.ts'
import { type Form, Remembered } from './remembered.ts'
import { Sealed } from './sealed.ts'
import { Signed } from './signed.ts'

/** Makes the kinds of values of one service, all with the same keyring, clock and source of randomness. */
export class Sealer {
  readonly #workshop: Workshop

  constructor(workshop: Workshop) {
    this.#workshop = workshop
  }

  /** A kind of value whose content only this service can read (AES-256-GCM). */
  sealed<F extends TProperties>(kind: Kind<Exclude<Purpose, 'cid'>, F>): Sealed<F> {
    return new Sealed(kind, this.#workshop)
  }

  /** The same, cached, for values that come back with every request. */
  remembered<F extends TProperties, T extends object>(
    kind: Kind<Exclude<Purpose, 'cid'>, F>,
    form: Form<F, T>
  ): Remembered<F, T> {
    return new Remembered(kind, this.#workshop, form)
  }

  /** A kind of value that anybody can read and only this service can make (HMAC-SHA256). */
  signed<F extends TProperties>(kind: Kind<'cid', F>): Signed<F> {
    return new Signed(kind, this.#workshop)
  }
}
