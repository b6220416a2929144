type Fields = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: what a forge answers has no type until it is looked at
type Answer = any

/* Lists of GraphQL, which it calls connections. */

/** Records of one connection: ten times what is asked for, as to show one takes microseconds. */
const MOST_NODES = 1_000

/** The records of a connection that there are. */
export const nodesOf = (connection: Answer): Answer[] =>
  Array.isArray(connection?.nodes)
    ? connection.nodes.slice(0, MOST_NODES).filter((node: unknown) => node !== null)
    : []

/** Where a list goes on. */
export const pageInfoOf = (connection: Answer): Fields =>
  known({
    hasNextPage: connection?.pageInfo?.hasNextPage === true,
    endCursor: connection?.pageInfo?.endCursor
  })

/** A record without what the forge has no value for. */
export const known = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null))
