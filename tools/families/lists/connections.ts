import { listIn } from '../../../src/engine/requests/record.ts'
import { isEmptyList } from '../../../src/results/is-record.ts'

type Fields = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: what a forge answers has no type until it is looked at
type Answer = any

/* Reading of GraphQL lists, which are called connections there. */

/** Most records read of one connection: ten times as many as are requested, as showing one takes microseconds. */
const MOST_NODES = 1_000

/**
 * The existing records of a connection; none if the forge does not show it.
 * @throws CallProblem if it has no list of them: it must not pass for an empty one
 */
export const nodesOf = (connection: Answer): Answer[] =>
  connection === null || connection === undefined
    ? []
    : listIn<Answer>(connection, 'nodes')
        .slice(0, MOST_NODES)
        .filter(node => node !== null)

/** The page information of a list: where it continues. */
export const pageInfoOf = (connection: Answer): Fields =>
  known({
    hasNextPage: connection?.pageInfo?.hasNextPage === true,
    endCursor: connection?.pageInfo?.endCursor
  })

/**
 * The filters of a list without those that are empty lists: in GraphQL such a one lists nothing, whereas of a REST list,
 * whose query cannot have it, it filters nothing.
 */
export const filling = (filters: Fields): Fields =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => !isEmptyList(value)))

/** A record without the fields that are null at the forge. */
export const known = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null))
