/** A whole SHA of a commit, as a forge writes it (SHA-1 or SHA-256). */
export const wholeSha = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** A text that may be a SHA, or the beginning of one that Git takes for it. */
export const anySha = /^[0-9a-f]{7,64}$/i
