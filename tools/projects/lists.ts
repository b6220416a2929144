import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { atMostOne, notWith, onlyWith } from '../../src/engine/rows/checks.ts'
import {
  flag,
  groupId,
  oneOf,
  optional,
  Page,
  text,
  toldElsewhere,
  When
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { givenRole, levelOf } from '../families/people/roles.ts'

const Visibility = optional(oneOf(['private', 'internal', 'public']))
const Sort = optional(oneOf(['asc', 'desc']))
const MinRole = givenRole('Your role at least')

/** Refuses the order by similarity without a search text. */
const similarityNeedsSearch = ({ order_by, search }: Arguments): void => {
  if (order_by === 'similarity' && search === undefined)
    throw new CallProblem("order_by=similarity can only be given with 'search'.")
}

/**
 * Refuses a page token with another order than that by ids, or in a group: the forge continues by token only in that
 * order, and never in a group.
 */
const tokenNeedsIds = ({ page_token, order_by, group_id }: Arguments): void => {
  if (page_token !== undefined && (order_by !== 'id' || group_id !== undefined))
    throw new CallProblem("'page_token' goes with order_by=id, and not with 'group_id': use page.")
}

/**
 * The notice for page numbers in the order of ids. There the forge pages by token, ignores the page number, and returns
 * the first page again and again.
 */
const idsHaveNoPages = ({ page, order_by, group_id }: Arguments): string | undefined =>
  Number(page ?? 1) > 1 && order_by === 'id' && group_id === undefined
    ? `This is the first page, not page ${page}: with order_by=id pages have no numbers, and page_token takes the next_page_token of the page before.`
    : undefined

const onlyYours = (value: unknown, args: Arguments): string | undefined =>
  isOwnByDefault(args) && isShort(value, args)
    ? 'Only projects that you are a member of: membership=false lists all that you can see.'
    : undefined

const ofPerson = 'whose projects search finds with search_namespaces=true'

const narrowing = ['group_id', 'search', 'owned', 'starred', 'membership']
const isOwnByDefault = (args: Arguments): boolean => narrowing.every(name => args[name] === undefined)

/** Whether a list is complete on its first page. */
const isShort = (value: unknown, { page, page_token, per_page: size = 20 }: Arguments): boolean =>
  (page ?? page_token) === undefined && Array.isArray(value) && value.length < Number(size)

/** Whether a search is for a path with groups. The forge searches groups only on request. */
const isOfPath = ({ search, search_namespaces, group_id }: Arguments): boolean =>
  search_namespaces === undefined && group_id === undefined && String(search).includes('/')

/**
 * Completes the filters. Without any filter, only the caller's own projects are listed, as everybody's are seldom
 * meant.
 */
const projectFilters = (args: Record<string, unknown>) => ({
  ...args,
  min_access_level: levelOf(args.min_access_level),
  ...(isOwnByDefault(args) && { membership: true }),
  ...(isOfPath(args) && { search_namespaces: true }),
  ...(args.group_id !== undefined && { include_subgroups: args.include_subgroups ?? true }),
  ...(args.group_id === undefined && args.order_by === 'id' && { pagination: 'keyset' })
})

export const listRows: readonly ToolRow[] = [
  rest({
    name: 'list_projects',
    class: 'read',
    title: 'Projects',
    summary: 'List projects: yours, those of a group, or those a search finds.',
    input: Type.Object(
      {
        group_id: optional(groupId('Of it and its subgroups')),
        search: optional(text()),
        search_namespaces: optional(flag('Search group paths too')),
        membership: optional(flag('Yours only')),
        owned: optional(flag()),
        starred: optional(flag()),
        archived: optional(flag('false: none of them')),
        active: optional(flag()),
        visibility: Visibility,
        topic: optional(text()),
        with_programming_language: optional(text()),
        min_access_level: optional(MinRole),
        include_subgroups: optional(flag('false: of group_id alone')),
        with_shared: optional(flag('false: none shared with it')),
        last_activity_after: optional(When),
        last_activity_before: optional(When),
        order_by: optional(
          oneOf(
            [
              'id',
              'name',
              'path',
              'created_at',
              'updated_at',
              'last_activity_at',
              'star_count',
              'similarity'
            ],
            'id pages by token'
          )
        ),
        sort: Sort,
        ...Page,
        page_token: optional(text('next_page_token of the page before'))
      },
      { instead: { owner: ofPerson, user: ofPerson, username: ofPerson } }
    ),
    check: [
      notWith(
        'group_id',
        'membership',
        'search_namespaces',
        'with_programming_language',
        'last_activity_after',
        'last_activity_before'
      ),
      onlyWith('group_id', 'include_subgroups', 'with_shared'),
      similarityNeedsSearch,
      tokenNeedsIds,
      atMostOne('page', 'page_token')
    ],
    request: ['GET /groups/{group_id}/projects', 'GET /projects'],
    fixed: { simple: true },
    adapt: projectFilters,
    notice: (value, args) => idsHaveNoPages(args) ?? onlyYours(value, args),
    record: 'project'
  }),
  rest({
    name: 'list_groups',
    class: 'read',
    title: 'Groups',
    summary: 'List your groups, or the subgroups of one.',
    input: Type.Object({
      group_id: optional(groupId('List its subgroups')),
      all_levels: optional(flag('With theirs, at any depth')),
      search: optional(text()),
      owned: optional(flag()),
      top_level_only: optional(flag()),
      all_available: optional(flag('Also those you are no member of')),
      min_access_level: optional(toldElsewhere('list_projects', 'As of list_projects', MinRole)),
      visibility: Visibility,
      order_by: optional(oneOf(['name', 'path', 'id', 'similarity'])),
      sort: Sort,
      ...Page
    }),
    check: [onlyWith('group_id', 'all_levels'), similarityNeedsSearch],
    request: ['GET /groups/{group_id}/subgroups', 'GET /groups/{group_id}/descendant_groups', 'GET /groups'],
    choose: ({ group_id, all_levels }) => {
      if (group_id === undefined) return 'GET /groups'
      return all_levels === true
        ? 'GET /groups/{group_id}/descendant_groups'
        : 'GET /groups/{group_id}/subgroups'
    },
    adapt: args => ({
      ...args,
      min_access_level: levelOf(args.min_access_level),
      ...(args.group_id === undefined && { all_available: args.all_available ?? false })
    }),
    local: ['all_levels'],
    notice: (value, args) => {
      // Owners of a group are also members of it.
      if (args.owned === true)
        return isEmptyList(value)
          ? 'Only groups that you own: without owned are also those that you are a member of.'
          : undefined
      return args.group_id === undefined && args.all_available === undefined && isShort(value, args)
        ? 'Only groups that you are a member of: all_available=true lists all that you can see.'
        : undefined
    },
    record: 'group'
  })
]
