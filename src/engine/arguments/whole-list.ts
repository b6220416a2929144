/** Most records that a page may have. */
const MOST_OF_PAGE = 100

/**
 * Whether a paging argument may be ignored for a list that is returned whole: it asks for the first page, or a page of
 * an allowed length (the catalog's convention for `page` and `per_page`).
 * @param value a number, or the digits of one
 */
export function asksNoPage(name: string, value: unknown): boolean {
  const number = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value
  if (name === 'page') return number === 1
  return (
    name === 'per_page' && Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MOST_OF_PAGE
  )
}
