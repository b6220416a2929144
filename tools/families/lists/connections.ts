import { listIn } from '../../../src/engine/requests/record.ts'
import { type Fields, isEmptyList } from '../../../src/results/is-record.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a forge answers has no type until it is looked at
type Answer = any

/* Reading of GraphQL lists, which are called connections there. */

/** Most records read of one connection: ten times as many as are requested. Processing one takes microseconds. */
const MAX_NODES = 1_000

/**
 * The records of a connection, without nulls. Empty if the forge does not show the connection.
 * @throws CallProblem if the connection has no list of records: it must not pass for an empty one
 */
export const nodesOf = (connection: Answer): Answer[] =>
  connection === null || connection === undefined
    ? []
    : listIn<Answer>(connection, 'nodes')
        .slice(0, MAX_NODES)
        .filter(node => node !== null)

/** The page information of a list: whether and where it continues. */
export const pageInfoOf = (connection: Answer): Fields =>
  known({
    hasNextPage: connection?.pageInfo?.hasNextPage === true,
    endCursor: connection?.pageInfo?.endCursor
  })

/**
 * The filters of a list, without those that are empty lists. In GraphQL an empty list matches nothing. In REST it
 * filters nothing, as a query cannot express it.
 */
export const filling = (filters: Fields): Fields =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => !isEmptyList(value)))

/** A record without the fields that the forge gives as null. */
export const known = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null))
