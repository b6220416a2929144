import { PAGE } from '../requests/pages.ts'
import { meantName } from './name-meant.ts'

/** What lists that have pages take, by the catalog's convention. */
const ofPages: ReadonlySet<string> = new Set(['page', 'per_page'])

/** What an argument of pages comes to where a list comes whole. */
interface PageOfWhole {
  /** What to do instead of giving it; undefined where it asks nothing. */
  readonly instead: string | undefined
}

const onlyPage = 'this list comes whole, so it has no other pages: leave it out'
const noLength = 'this list comes whole, whatever the length of a page: leave it out'

/**
 * Reads an argument of a list that comes whole as lists with pages do, under any of its names: the first page asks
 * nothing of it, nor does a page of any length that these have.
 * @param value a number, or the digits of one
 * @returns undefined for an argument that is none of pages
 */
export function pageOfWhole(given: string, value: unknown): PageOfWhole | undefined {
  const name = ofPages.has(given) ? given : meantName(given, own => ofPages.has(own))
  if (name === undefined) return undefined
  const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
  if (name === 'page') return { instead: number === 1 ? undefined : onlyPage }
  const isLength = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= PAGE
  return { instead: isLength ? undefined : noLength }
}
