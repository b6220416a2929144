/** The page of a list that a caller requests. */
export interface Page {
  first?: number | null
  after?: string | null
}

const CONNECTION_MAX = 100

const cursorOf = (index: number) => Buffer.from(JSON.stringify({ id: String(index) })).toString('base64')

const offsetOf = (after: string | null | undefined) => {
  if (!after) return 0
  try {
    return Number((JSON.parse(Buffer.from(after, 'base64').toString()) as { id: string }).id) + 1
  } catch {
    throw new Error('Please provide a valid cursor')
  }
}

/** A Relay connection over rows. Its pages have at most a hundred rows, and cursors. */
export const connection = <T>(rows: T[], { first, after }: Page) => {
  const start = offsetOf(after)
  const nodes = rows.slice(start, start + Math.min(first ?? CONNECTION_MAX, CONNECTION_MAX))
  const end = start + nodes.length - 1
  return {
    nodes,
    edges: nodes.map((node, index) => ({ cursor: cursorOf(start + index), node })),
    pageInfo: {
      endCursor: nodes.length > 0 ? cursorOf(end) : null,
      startCursor: nodes.length > 0 ? cursorOf(start) : null,
      hasNextPage: end + 1 < rows.length,
      hasPreviousPage: start > 0
    }
  }
}
