type Fields = Readonly<Record<string, unknown>>

/**
 * What of a changed issue its caller does not know already: labels and people that are not just those asked for, such
 * as when a forge leaves out who cannot be assigned, or that were named otherwise than the forge shows them.
 */
export function unasked({ labels, assignees, ...record }: Fields, asked: Fields): Fields {
  return {
    ...record,
    ...(!isAsAsked(labels, asked.labels, label => label) && { labels }),
    ...(!isAsAsked(assignees, asked.assignee_ids, person => (person as Fields).username) && {
      assignees
    })
  }
}

/** Whether a list has what was asked for and nothing else. @param nameOf one of the list, as the forge shows it */
function isAsAsked(list: unknown, asked: unknown, nameOf: (item: unknown) => unknown): boolean {
  if (asked === undefined || !Array.isArray(list)) return false
  const wanted = new Set(namesIn(asked))
  return list.length === wanted.size && list.every(item => wanted.has(String(nameOf(item))))
}

/** As a model writes a list: also as text with commas. */
const namesIn = (asked: unknown): readonly string[] =>
  (Array.isArray(asked) ? asked : String(asked).split(','))
    .map(name => String(name).trim())
    .filter(name => name !== '')
