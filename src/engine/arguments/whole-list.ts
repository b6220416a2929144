import { PAGE } from '../requests/pages.ts'
import { meantName } from './name-meant.ts'

/** The arguments of lists with pages, by the catalog's convention. */
const ofPages: ReadonlySet<string> = new Set(['page', 'per_page'])

/** How an argument of pages is read for a list that comes whole. */
interface PageOfWhole {
  /** What to do instead of giving it; undefined if it may be given. */
  readonly instead: string | undefined
}

const onlyPage = 'this list comes whole, so it has no other pages: leave it out'
const noLength = 'this list comes whole, whatever the length of a page: leave it out'

/**
 * Reads an argument of pages, under any of its names, for a list that comes whole. The first page, and any length that
 * pages may have, are accepted: they change nothing.
 * @param value a number, or the digits of one
 * @returns undefined for any other argument
 */
export function pageOfWhole(given: string, value: unknown): PageOfWhole | undefined {
  const name = ofPages.has(given) ? given : meantName(given, own => ofPages.has(own))
  if (name === undefined) return undefined
  const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
  if (name === 'page') return { instead: number === 1 ? undefined : onlyPage }
  const isLength = Number.isInteger(number) && Number(number) >= 1 && Number(number) <= PAGE
  return { instead: isLength ? undefined : noLength }
}
