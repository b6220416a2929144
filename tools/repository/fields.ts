import { text } from '../../src/catalog/fields.ts'

/** Of a file: encoded as one segment, so without a leading slash. */
export const FilePath = text('From the root')
