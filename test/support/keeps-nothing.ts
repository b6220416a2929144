/** A reader of a stream that keeps nothing of it. */
export const keepsNothing = { heldBytes: 0 }
