/* GraphQL documents for work items. They are constant, so no input of a caller becomes part of a query. */

const short =
  'id iid workItemType { name } state title confidential author { username } createdAt updatedAt closedAt webUrl'

/**
 * The query for one item.
 * @param selection of the item's features (features.ts)
 */
export const itemQuery = (selection: string): string => `query GetWorkItem($fullPath: ID!, $iid: String!) {
  namespace(fullPath: $fullPath) {
    workItem(iid: $iid) { ${short} description ${selection} }
  }
}`

export const itemIdQuery = `query GetWorkItemID($fullPath: ID!, $iid: String!) {
  namespace(fullPath: $fullPath) { workItem(iid: $iid) { id workItemType { name } } }
}`

/** The types of a list's filters, in the order in which they are declared. */
const filters: Readonly<Record<string, string>> = {
  types: '[IssueType!]',
  state: 'IssuableState',
  search: 'String',
  in: '[IssuableSearchableField!]',
  authorUsername: 'String',
  assigneeUsernames: '[String!]',
  assigneeWildcardId: 'AssigneeWildcardId',
  labelName: '[String!]',
  milestoneTitle: '[String!]',
  milestoneWildcardId: 'MilestoneWildcardId',
  iids: '[String!]',
  parentIds: '[WorkItemID!]',
  confidential: 'Boolean',
  includeDescendants: 'Boolean',
  includeAncestors: 'Boolean',
  createdAfter: 'Time',
  createdBefore: 'Time',
  updatedAfter: 'Time',
  updatedBefore: 'Time',
  dueAfter: 'Time',
  dueBefore: 'Time',
  closedAfter: 'Time',
  closedBefore: 'Time',
  sort: 'WorkItemSort',
  first: 'Int',
  after: 'String'
}

/**
 * The query for a list. It declares only the given filters: a forge refuses a variable whose type it does not have,
 * even without a value.
 * @param given filters by the forge's names
 * @param selection of the items' features
 */
export function listQuery(given: Readonly<Record<string, unknown>>, selection: string): string {
  const names = Object.keys(filters).filter(name => given[name] !== undefined)
  const declared = names.map(name => `, $${name}: ${filters[name]}`).join('')
  return `query ListWorkItems($fullPath: ID!${declared}) {
  namespace(fullPath: $fullPath) {
    workItems(${names.map(name => `${name}: $${name}`).join(', ')}) {
      nodes { ${short} ${selection} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`
}

export const typesQuery = `query ListWorkItemTypes($namespacePath: ID!, $onlyAvailable: Boolean) {
  namespace(fullPath: $namespacePath) { workItemTypes(onlyAvailable: $onlyAvailable) { nodes { id name } } }
}`

export const createMutation = (
  selection: string
): string => `mutation CreateWorkItem($input: WorkItemCreateInput!) {
  workItemCreate(input: $input) { workItem { ${short} ${selection} } errors }
}`

export const updateMutation = (
  selection: string
): string => `mutation UpdateWorkItem($input: WorkItemUpdateInput!) {
  workItemUpdate(input: $input) { workItem { ${short} ${selection} } errors }
}`

export const notesQuery = `query ListWorkItemNotes($fullPath: ID!, $iid: String!, $sort: WorkItemDiscussionsSort, $first: Int, $after: String) {
  namespace(fullPath: $fullPath) {
    workItem(iid: $iid) {
      widgets(onlyTypes: [NOTES]) {
        ... on WorkItemWidgetNotes {
          discussions(first: $first, after: $after, filter: ALL_NOTES, sort: $sort) {
            nodes { id resolved notes { nodes { id body system internal createdAt author { username } } } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
    }
  }
}`

export const noteMutation = `mutation CreateWorkItemNote($input: CreateNoteInput!) {
  createNote(input: $input) { note { id body discussion { id } } errors }
}`
