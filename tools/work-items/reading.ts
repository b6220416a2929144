import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { fullPathOf, type NamedPlace } from '../../src/engine/facts/full-path.ts'
import { numbersOnly, onlyWith } from '../../src/engine/rows/checks.ts'
import {
  CursorPage,
  DaysRange,
  flag,
  forgeDefault,
  insteadOfNumber,
  MilestoneTitles,
  oneOf,
  optional,
  ProjectOrGroup,
  text,
  texts,
  toldElsewhere,
  usernameFilter,
  usernamesOrAny,
  When
} from '../../src/engine/rows/fields.ts'
import { LabelFilter } from '../../src/engine/rows/labels.ts'
import { graphql, type ToolRow } from '../../src/engine/rows/row.ts'
import type { Fields } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { filling, nodesOf, pageInfoOf } from '../families/lists/connections.ts'
import { milestoneWildcard } from '../families/lists/milestone-words.ts'
import { noQualifiers } from '../families/lists/no-qualifiers.ts'
import { oneAssignee } from '../families/people/one-assignee.ts'
import { itemQuery, listQuery } from './documents.ts'
import { listed, selectionOf, whole } from './features.ts'
import {
  explainingPlace,
  gidsOfItems,
  itemOf,
  namespaceOf,
  OneItem,
  ofOne,
  oneItem,
  servedPlaces
} from './place.ts'
import { itemRecord, slimRecord } from './record.ts'
import { systemTypes } from './types.ts'

const capitals = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(capitals) : typeof value === 'string' ? value.toUpperCase() : value

const isWord = (name: string): boolean => /^(?:none|any)$/i.test(name)

/** The filter for assignees, by usernames or by the forge's word for nobody or anybody. */
const assigneesOf = (names: readonly string[] | undefined): Fields =>
  names?.some(isWord) ? { assigneeWildcardId: names[0]!.toUpperCase() } : { assigneeUsernames: names }

/** The filter for milestones, by titles or by one of the forge's words. */
function milestonesOf(titles: readonly string[] | undefined): Fields {
  const word = titles?.[0] === undefined ? undefined : milestoneWildcard(titles[0])
  return word === undefined ? { milestoneTitle: titles } : { milestoneWildcardId: word }
}

/** The filters by the forge's names. A list of a group includes the items of its projects and subgroups. */
const filtersOf = (args: Arguments): Fields =>
  filling({
    types: capitals(args.types),
    state: args.state,
    search: args.search,
    in: capitals(args.in),
    authorUsername: args.author_username,
    ...assigneesOf(args.assignee_usernames as readonly string[] | undefined),
    labelName: args.label_names,
    ...milestonesOf(args.milestone_titles as readonly string[] | undefined),
    iids: args.iids,
    parentIds: args.parent_ids,
    confidential: args.confidential,
    includeDescendants: args.include_descendants ?? (args.group_id === undefined ? undefined : true),
    includeAncestors: args.include_ancestors,
    createdAfter: args.created_after,
    createdBefore: args.created_before,
    updatedAfter: args.updated_after,
    updatedBefore: args.updated_before,
    dueAfter: args.due_after,
    dueBefore: args.due_before,
    closedAfter: args.closed_after,
    closedBefore: args.closed_before,
    sort: capitals(args.sort),
    first: args.first,
    after: args.after
  })

interface Listing extends NamedPlace {
  readonly types?: readonly string[] | undefined
  readonly include_ancestors?: boolean | undefined
  readonly parent_ids?: readonly string[] | undefined
  readonly assignee_usernames?: readonly string[] | undefined
  readonly search?: string | undefined
}

const saidOfSearch = noQualifiers('search')

/** Explains an empty list. */
function whyEmpty(data: Fields, args: Listing): string | undefined {
  if (nodesOf(namespaceOf(data, args).workItems).length > 0) return undefined
  const reasons = [
    epicsElsewhere(args),
    numbersOfParents(args),
    oneAssignee(args.assignee_usernames, true),
    saidOfSearch([], { search: args.search })
  ]
  return reasons.filter(reason => reason !== undefined).join(' ') || undefined
}

/**
 * Explains why a project lists no epics: they belong to groups. Without this, the empty list would say that there are
 * none.
 */
function epicsElsewhere({ project_id, types = [], include_ancestors }: Listing): string | undefined {
  const ofEpics = types.length > 0 && types.every(type => type === 'epic')
  return project_id !== undefined && ofEpics && include_ancestors !== true
    ? 'Epics are of groups: give the group_id of the project’s group, or include_ancestors=true.'
    : undefined
}

/** Explains parent_ids that are plain numbers. The forge takes them as ids, which its pages never show. */
const numbersOfParents = ({ parent_ids = [] }: Listing): string | undefined =>
  parent_ids.some(id => /^\d+$/.test(id))
    ? 'parent_ids are ids of work items, not iids: give places for those, as in acme/rocket#7.'
    : undefined

const ranges = { created: When, updated: When, due: DaysRange, closed: When }
const times = Object.entries(ranges).flatMap(([what, when]) =>
  ['after', 'before'].map(side => [`${what}_${side}`, optional(when)] as const)
)

const rows: readonly ToolRow[] = [
  graphql({
    name: 'get_work_item',
    class: 'read',
    does: ['get_issue'],
    shows: { linked: 'list_issue_links' },
    title: 'Work item',
    summary: 'Get one of any kind, with its parent, children and links.',
    input: Type.Object(OneItem),
    check: [ofOne],
    document: async (_, schema) => itemQuery(await selectionOf(whole, schema)),
    variables: oneItem,
    shape: async (data, args, context) => itemRecord(itemOf(data, args), await servedPlaces(args, context))
  }),
  graphql({
    name: 'list_work_items',
    class: 'read',
    does: ['list_issues'],
    title: 'Work items',
    summary: 'List issues, tasks, epics and the like of a project, or a group and all in it.',
    input: Type.Object(
      {
        ...ProjectOrGroup,
        types: optional(
          Type.Array(toldElsewhere('create_work_item', 'As type of create_work_item', oneOf(systemTypes)))
        ),
        state: optional(oneOf(['opened', 'closed', 'all'])),
        search: optional(text()),
        in: optional(Type.Array(oneOf(['title', 'description']))),
        author_username: optional(usernameFilter()),
        assignee_usernames: optional(usernamesOrAny('All of them, None or Any')),
        label_names: optional(LabelFilter),
        milestone_titles: optional(MilestoneTitles),
        iids: optional(texts()),
        parent_ids: optional(texts('Ids or places')),
        confidential: optional(flag()),
        include_descendants: optional(flag('Below too; default of a group')),
        include_ancestors: optional(flag('Above too')),
        ...(Object.fromEntries(times) as Record<string, typeof When>),
        sort: optional(
          forgeDefault(
            'created_desc',
            oneOf(['created_asc', 'created_desc', 'updated_asc', 'updated_desc', 'title_asc', 'title_desc'])
          )
        ),
        ...CursorPage
      },
      { instead: insteadOfNumber }
    ),
    check: [ofOne, onlyWith('search', 'in'), numbersOnly],
    document: async (args, schema) => listQuery(filtersOf(args), await selectionOf(listed, schema)),
    variables: async (args, context) => ({
      fullPath: await fullPathOf(args, context),
      ...filtersOf({
        ...args,
        parent_ids: args.parent_ids && (await gidsOfItems('parent_ids', args.parent_ids, args, context))
      })
    }),
    async shape(data, args, context) {
      const { workItems } = namespaceOf(data, args)
      if (workItems === null || workItems === undefined)
        throw new CallProblem('The forge does not show the work items of this place to this token.')
      const serves = await servedPlaces(args, context)
      return {
        work_items: nodesOf(workItems).map(item => slimRecord(item, serves)),
        pageInfo: pageInfoOf(workItems)
      }
    },
    notice: whyEmpty
  })
]

export const readingRows = rows.map(explainingPlace)
