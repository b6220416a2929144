type Fields = Readonly<Record<string, unknown>>

/**
 * What of a changed issue its caller does not know already: labels and people that are not just those asked for, such
 * as when a forge leaves out who cannot be assigned.
 */
export function unasked({ labels, assignees, ...record }: Fields, asked: Fields): Fields {
  return {
    ...record,
    ...(!isAsAsked(labels, asked.labels, label => [label]) && { labels }),
    ...(!isAsAsked(assignees, asked.assignee_ids, person => [
      (person as Fields).username,
      (person as Fields).id
    ]) && { assignees })
  }
}

/** Whether a list has what was asked for and nothing else. @param namesOf one of the list, by which it may be asked for */
function isAsAsked(list: unknown, asked: unknown, namesOf: (item: unknown) => readonly unknown[]): boolean {
  if (asked === undefined || !Array.isArray(list)) return false
  const wanted = new Set(namesIn(asked))
  const has = list.map(item =>
    namesOf(item)
      .map(nameOf)
      .find(name => wanted.has(name))
  )
  return has.length === wanted.size && !has.includes(undefined)
}

/** As a model writes a list: also as text with commas. */
const namesIn = (asked: unknown): readonly string[] =>
  (Array.isArray(asked) ? asked : String(asked).split(',')).map(nameOf).filter(name => name !== '')

const nameOf = (name: unknown): string => String(name).trim().replace(/^[@~]/, '').toLowerCase()
