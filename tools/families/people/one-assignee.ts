/**
 * Says of an empty list of what several people are assigned to that all of them have to be: most forges assign one
 * (docs: issues API, multiple assignees are Premium).
 * @param names that were filtered by
 */
export const oneAssignee = (names: unknown, isEmpty: boolean): string | undefined =>
  isEmpty && Array.isArray(names) && names.length > 1
    ? 'Only what is assigned to all of these people is listed, and without Premium a forge assigns one: list for each alone.'
    : undefined
