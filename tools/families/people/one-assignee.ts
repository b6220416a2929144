/**
 * A notice for an empty list that is filtered by several assignees. It lists only items assigned to all of them, and
 * most forges assign one person (docs: issues API, multiple assignees are Premium).
 * @param names the assignees in the filter
 */
export const oneAssignee = (names: unknown, isEmpty: boolean): string | undefined =>
  isEmpty && Array.isArray(names) && names.length > 1
    ? 'Only what is assigned to all of these people is listed, and without Premium a forge assigns one: list for each alone.'
    : undefined
