/** A value as the bytes of its JSON. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
