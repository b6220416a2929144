import {
  createMutation,
  itemIdQuery,
  itemQuery,
  listQuery,
  noteMutation,
  notesQuery,
  typesQuery,
  updateMutation
} from '../../tools/work-items/documents.ts'
import { workItems } from '../../tools/work-items/index.ts'
import { story } from '../support/sandbox-tools.ts'
import { type Exchange, runTable } from '../support/tool-table.ts'

const place = 'iid namespace { fullPath }'
const slim =
  'assignees { assignees { nodes { username } } } labels { labels { nodes { title } } } milestone { milestone { id title } } startAndDueDate { startDate dueDate }'
const more = 'pageInfo { hasNextPage }'
const related = `hierarchy { parent { ${place} } children { nodes { ${place} } ${more} } } linkedItems { linkedItems { nodes { linkType workItem { ${place} } } } }`
const enterprise =
  'color { color } healthStatus { healthStatus } iteration { iteration { id } } status { status { name } } weight { weight }'
const ofCommunity = itemQuery(`features { ${slim} ${related} }`)
const ofEnterprise = itemQuery(`features { ${slim} ${related} ${enterprise} }`)
const inList = `features { ${slim} hierarchy { parent { ${place} } } }`
const inOldList =
  'widgets { ... on WorkItemWidgetAssignees { assignees { nodes { username } } } ... on WorkItemWidgetLabels { labels { nodes { title } } } ... on WorkItemWidgetMilestone { milestone { id title } } ... on WorkItemWidgetStartAndDueDate { startDate dueDate } ... on WorkItemWidgetHierarchy { parent { iid namespace { fullPath } } } }'
/** What is made or changed is read with the ids of what was set. */
const withIds = (selection: string) => selection.replace(/\{ (username|title) \}/g, '{ id $1 }')

const graphql = (query: string, variables: object, answer: unknown): Exchange => ({
  request: 'POST /api/graphql',
  body: { query, variables },
  reply: { body: answer }
})
const edition = (enterprise: boolean): Exchange => ({
  request: 'GET /metadata',
  reply: { body: { version: '19.5.0', enterprise } }
})
const editionUnknown: Exchange = { request: 'GET /metadata', reply: { status: 404, body: {} } }
const inside = (workItem: unknown) => ({ data: { namespace: { workItem } } })
const one = { fullPath: 'acme/rocket', iid: '7' }
const args = { project_id: 'acme/rocket', iid: 7 }
const found = graphql(itemIdQuery, one, inside({ id: 'gid://gitlab/WorkItem/512' }))

const base = {
  id: 'gid://gitlab/WorkItem/512',
  iid: '7',
  workItemType: { name: 'Task' },
  state: 'OPEN',
  title: 'Fuel the rocket',
  confidential: false,
  author: { username: 'ada' },
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-02T00:00:00Z',
  closedAt: null,
  webUrl: 'https://forge.example/acme/rocket/-/work_items/7'
}
const common = {
  assignees: { assignees: { nodes: [{ username: 'linus' }] } },
  labels: { labels: { nodes: [{ title: 'bug' }] } },
  milestone: { milestone: { id: 'gid://gitlab/Milestone/3', title: 'v1' } },
  startAndDueDate: { startDate: null, dueDate: '2026-12-01' },
  hierarchy: { parent: { iid: '2', namespace: { fullPath: 'acme' } } }
}
const shownBase = {
  id: 512,
  iid: '7',
  type: 'Task',
  state: 'opened',
  title: 'Fuel the rocket',
  author: 'ada',
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-02T00:00:00Z',
  web_url: 'https://forge.example/acme/rocket/-/work_items/7'
}
const shownCommon = {
  assignees: ['linus'],
  labels: ['bug'],
  milestone: 'v1',
  milestone_id: 3,
  parent: 'acme#2',
  due_date: '2026-12-01'
}
const listed = (variables: object, answer: unknown, selection = inList) =>
  graphql(listQuery(variables as Record<string, unknown>, selection), variables, answer)
const listOf = (nodes: unknown[], pageInfo: object = { hasNextPage: false, endCursor: null }) => ({
  data: { namespace: { workItems: { nodes, pageInfo } } }
})
const noFeatures = { errors: [{ message: "Field 'features' doesn't exist on type 'WorkItem'" }] }
const created = { data: { workItemCreate: { workItem: base, errors: [] } } }
const updated = { data: { workItemUpdate: { workItem: base, errors: [] } } }
const types = graphql(
  typesQuery,
  { namespacePath: 'acme/rocket', onlyAvailable: true },
  {
    data: {
      namespace: {
        workItemTypes: {
          nodes: [
            { id: 'gid://gitlab/WorkItems::Type/5', name: 'Task' },
            { id: 'gid://gitlab/WorkItems::Type/1001', name: 'User Story' }
          ]
        }
      }
    }
  }
)
const typeId = (number: number) => `gid://gitlab/WorkItems::Type/${number}`
const noted = (input: object, answer: unknown) =>
  graphql(noteMutation, { input: { noteableId: 'gid://gitlab/WorkItem/512', ...input } }, answer)

runTable(workItems, [
  {
    title: 'asks an Enterprise forge for all there is, and shows it flat',
    tool: 'get_work_item',
    args,
    exchanges: [
      edition(true),
      graphql(
        ofEnterprise,
        one,
        inside({
          ...base,
          description: 'Up to the brim',
          features: {
            ...common,
            hierarchy: {
              ...common.hierarchy,
              children: {
                nodes: [{ iid: '8', namespace: { fullPath: 'acme/rocket' } }],
                pageInfo: { hasNextPage: true }
              }
            },
            linkedItems: {
              linkedItems: {
                nodes: [
                  { linkType: 'blocks', workItem: { iid: '9', namespace: { fullPath: 'acme/website' } } },
                  { linkType: 'relates_to', workItem: { iid: { number: 10 } } }
                ]
              }
            },
            color: { color: '#1f75cb' },
            healthStatus: { healthStatus: 'onTrack' },
            iteration: { iteration: { id: 'gid://gitlab/Iteration/4' } },
            status: { status: { name: 'In progress' } },
            weight: { weight: 3 }
          }
        })
      )
    ],
    result: {
      ...shownBase,
      ...shownCommon,
      confidential: false,
      description: 'Up to the brim',
      children: ['acme/rocket#8'],
      linked: [{ link_type: 'blocks', item: 'acme/website#9' }, { link_type: 'relates_to' }],
      color: '#1f75cb',
      health_status: 'on_track',
      iteration_id: 4,
      status: 'In progress',
      weight: 3,
      left_out: 'children after the first 100: list those by parent_ids'
    }
  },
  {
    title: 'asks a Community forge for nothing that only Enterprise has, and looks a number up',
    tool: 'get_work_item',
    args: { project_id: 41, iid: '7' },
    exchanges: [
      { request: 'GET /projects/41', reply: { body: { id: 41, path_with_namespace: 'acme/rocket' } } },
      edition(false),
      graphql(ofCommunity, one, inside({ ...base, features: { ...common, milestone: null } }))
    ],
    result: {
      ...shownBase,
      confidential: false,
      assignees: ['linus'],
      labels: ['bug'],
      parent: 'acme#2',
      due_date: '2026-12-01'
    }
  },
  {
    title: 'takes a forge that does not say its edition for Community, and finds a group by number',
    tool: 'get_work_item',
    args: { group_id: '7', iid: '7' },
    exchanges: [
      { request: 'GET /groups/7?with_projects=false', reply: { body: { full_path: 'acme' } } },
      editionUnknown,
      graphql(ofCommunity, { fullPath: 'acme', iid: '7' }, inside(null))
    ],
    error: 'There is no work item 7 in "7", or the token may not see it.'
  },
  ...(
    [
      [{ group_id: 'acme', iid: 'acme#7' }, 'acme'],
      [{ group_id: 'acme/orbit', iid: 'acme/orbit#7' }, 'acme/orbit'],
      [{ group_id: 'acme', iid: 'acme&7' }, 'acme']
    ] as const
  ).map(([named, fullPath]) => ({
    title: `takes what is of a group as results write it, ${named.iid}`,
    tool: 'update_work_item',
    args: { ...named, title: 'Fuel it' },
    exchanges: [graphql(itemIdQuery, { fullPath, iid: '7' }, inside(null))],
    error: `There is no work item 7 in "${fullPath}", or the token may not see it.`
  })),
  ...[{ iid: 'acme#7' }, { project_id: 'acme/rocket', iid: 'acme#7' }].map((named, at) => ({
    title: `says of which group an item is that is written so (${at + 1})`,
    tool: 'get_work_item',
    args: named,
    error: /^iid is of "acme": give that as group_id/
  })),
  {
    title: 'names a place that is not there',
    tool: 'get_work_item',
    args: { group_id: 'acme', iid: '7' },
    exchanges: [
      editionUnknown,
      graphql(ofCommunity, { fullPath: 'acme', iid: '7' }, { data: { namespace: null } }),
      { request: 'GET /groups?search=acme&all_available=false&per_page=8', reply: { body: [] } },
      { request: 'GET /groups?all_available=false&per_page=100', reply: { body: [] } }
    ],
    error: 'There is no group "acme", or the token may not see it.'
  },
  {
    title: 'refuses a number that is none, and both of a project and a group',
    tool: 'get_work_item',
    args: { project_id: 'acme/rocket', iid: '7?' },
    error: /iid must be a number/
  },
  {
    title: 'needs one of a project and a group',
    tool: 'get_work_item',
    args: { iid: '7' },
    error: "At least one of 'project_id' or 'group_id' must be provided."
  },
  {
    title: 'declares only the filters that are given',
    tool: 'list_work_items',
    args: {
      project_id: 'acme/rocket',
      types: ['task', 'key_result'],
      state: 'opened',
      search: 'fuel',
      in: ['title'],
      author_username: 'ada',
      assignee_usernames: ['linus'],
      label_names: ['bug'],
      milestone_titles: ['1.5'],
      iids: ['7'],
      parent_ids: ['500', 'gid://gitlab/WorkItem/501', 'acme#2'],
      confidential: false,
      created_after: '2026-11-01',
      due_before: '2026-12-01T00:00:00Z',
      sort: 'updated_desc',
      after: 'abc'
    },
    exchanges: [
      graphql(itemIdQuery, { fullPath: 'acme', iid: '2' }, inside({ id: 'gid://gitlab/WorkItem/502' })),
      listed(
        {
          fullPath: 'acme/rocket',
          types: ['TASK', 'KEY_RESULT'],
          state: 'opened',
          search: 'fuel',
          in: ['TITLE'],
          authorUsername: 'ada',
          assigneeUsernames: ['linus'],
          labelName: ['bug'],
          milestoneTitle: ['1.5'],
          iids: ['7'],
          parentIds: ['gid://gitlab/WorkItem/500', 'gid://gitlab/WorkItem/501', 'gid://gitlab/WorkItem/502'],
          confidential: false,
          createdAfter: '2026-11-01',
          dueBefore: '2026-12-01T00:00:00Z',
          sort: 'UPDATED_DESC',
          first: 20,
          after: 'abc'
        },
        listOf([{ ...base, features: common }], { hasNextPage: true, endCursor: 'def' })
      )
    ],
    result: {
      work_items: [{ ...shownBase, ...shownCommon }],
      pageInfo: { hasNextPage: true, endCursor: 'def' }
    }
  },
  ...(['None', 'any'] as const).map(word => ({
    title: `lists what has ${word} assigned by the forge’s own word`,
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', assignee_usernames: [word] },
    exchanges: [
      listed({ fullPath: 'acme/rocket', assigneeWildcardId: word.toUpperCase(), first: 20 }, listOf([]))
    ],
    result: { work_items: [], pageInfo: { hasNextPage: false } }
  })),
  {
    title: 'lists what has no milestone by the forge’s own word',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', milestone_titles: ['None'] },
    exchanges: [listed({ fullPath: 'acme/rocket', milestoneWildcardId: 'NONE', first: 20 }, listOf([]))],
    result: { work_items: [], pageInfo: { hasNextPage: false } }
  },
  {
    title: 'says of an empty list by numbers of parents that these are ids',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', parent_ids: ['1'] },
    exchanges: [
      listed({ fullPath: 'acme/rocket', parentIds: ['gid://gitlab/WorkItem/1'], first: 20 }, listOf([]))
    ],
    notices: ['parent_ids are ids of work items, not iids: give places for those, as in acme/rocket#7.']
  },
  {
    title: 'says of an empty list by two people that both have to be assigned',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', assignee_usernames: ['ada', 'linus'] },
    exchanges: [
      listed({ fullPath: 'acme/rocket', assigneeUsernames: ['ada', 'linus'], first: 20 }, listOf([])),
      ...['ada', 'linus'].map(username => ({
        request: `GET /users?username=${username}`,
        reply: { body: [{ id: 2, username }] }
      }))
    ],
    notices: [
      'Only what is assigned to all of these people is listed, and without Premium a forge assigns one: list for each alone.'
    ]
  },
  {
    title: 'takes an empty list for no filter, as the lists of REST do',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', types: [], iids: [], parent_ids: [], milestone_titles: [] },
    exchanges: [listed({ fullPath: 'acme/rocket', first: 20 }, listOf([]))]
  },
  {
    title: 'takes from the address of a list that nobody is to be assigned',
    tool: 'list_work_items',
    args: { project_id: 'https://forge.example/acme/rocket/-/work_items?assignee_id=None' },
    exchanges: [
      listed({ fullPath: 'acme/rocket', state: 'opened', assigneeWildcardId: 'NONE', first: 20 }, listOf([]))
    ]
  },
  {
    title: 'refuses the word for nobody beside people',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', assignee_usernames: ['linus', 'None'] },
    error: 'assignee_usernames has None beside others: give that word alone.'
  },
  ...['label_names', 'milestone_titles'].map(name => ({
    title: `refuses the word for none in ${name} beside others`,
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', [name]: ['bug', 'None'] },
    error: `${name} has None beside others: give that word alone.`
  })),
  {
    title: 'lists by the forge’s own word what is of the next milestones',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', milestone_titles: ['upcoming'] },
    exchanges: [listed({ fullPath: 'acme/rocket', milestoneWildcardId: 'UPCOMING', first: 20 }, listOf([]))],
    result: { work_items: [], pageInfo: { hasNextPage: false } }
  },
  {
    title: 'looks into what is below a group, unless it is told not to',
    tool: 'list_work_items',
    args: { group_id: 'acme' },
    exchanges: [listed({ fullPath: 'acme', includeDescendants: true, first: 20 }, listOf([]))],
    result: { work_items: [], pageInfo: { hasNextPage: false } }
  },
  {
    title: 'says where epics are, of which a project has none',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', types: ['epic'] },
    exchanges: [listed({ fullPath: 'acme/rocket', types: ['EPIC'], first: 20 }, listOf([]))],
    result: { work_items: [], pageInfo: { hasNextPage: false } },
    notices: ['Epics are of groups: give the group_id of the project’s group, or include_ancestors=true.']
  },
  {
    title: 'does not say so where those of the groups above are asked for',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', types: ['epic'], include_ancestors: true },
    exchanges: [
      listed({ fullPath: 'acme/rocket', types: ['EPIC'], includeAncestors: true, first: 20 }, listOf([]))
    ],
    result: { work_items: [], pageInfo: { hasNextPage: false } }
  },
  {
    title: 'asks an older forge for widgets once it has said that it has no features',
    tool: 'list_work_items',
    args: { group_id: 'acme', include_descendants: false, first: 5 },
    exchanges: [
      listed({ fullPath: 'acme', includeDescendants: false, first: 5 }, noFeatures),
      listed(
        { fullPath: 'acme', includeDescendants: false, first: 5 },
        listOf([{ ...base, confidential: true, widgets: [{}, ...Object.values(common)] }]),
        inOldList
      )
    ],
    result: {
      work_items: [{ ...shownBase, ...shownCommon, confidential: true }],
      pageInfo: { hasNextPage: false }
    }
  },
  {
    title: 'does not ask again for an error of another kind',
    tool: 'list_work_items',
    args: { group_id: 'acme' },
    exchanges: [
      listed(
        { fullPath: 'acme', includeDescendants: true, first: 20 },
        { errors: [{ message: "Field 'nodes' doesn't exist on type 'WorkItemConnection'" }] }
      )
    ],
    error: "The forge refused the request: \"Field 'nodes' doesn't exist on type 'WorkItemConnection'\"."
  },
  {
    title: 'refuses an id of another type',
    tool: 'list_work_items',
    args: { group_id: 'acme', parent_ids: ['gid://gitlab/Issue/5'] },
    error: 'parent_ids must be a number or gid://gitlab/WorkItem/…, not "gid://gitlab/Issue/5".'
  },
  {
    title: 'refuses fields to search in without what to search',
    tool: 'list_work_items',
    args: { group_id: 'acme', in: ['title'] },
    error: "'in' can only be given with 'search'."
  },
  {
    title: 'makes one of a type by name, with ids as global ids, and sends only what is given',
    tool: 'create_work_item',
    args: {
      project_id: 'acme/rocket',
      type: 'task',
      title: 'Fuel the rocket',
      description: 'Up to the brim',
      confidential: true,
      assignee_ids: [2],
      label_ids: [5, '6'],
      milestone_id: 3,
      parent_id: '500',
      start_date: '2026-11-22',
      due_date: '2026-12-01'
    },
    exchanges: [
      graphql(
        createMutation(withIds(inList)),
        {
          input: {
            namespacePath: 'acme/rocket',
            workItemTypeId: typeId(5),
            title: 'Fuel the rocket',
            confidential: true,
            descriptionWidget: { description: 'Up to the brim' },
            assigneesWidget: { assigneeIds: ['gid://gitlab/User/2'] },
            labelsWidget: { labelIds: ['gid://gitlab/Label/5', 'gid://gitlab/Label/6'] },
            milestoneWidget: { milestoneId: 'gid://gitlab/Milestone/3' },
            hierarchyWidget: { parentId: 'gid://gitlab/WorkItem/500' },
            startAndDueDateWidget: { startDate: '2026-11-22', dueDate: '2026-12-01' }
          }
        },
        {
          data: {
            workItemCreate: {
              workItem: { ...base, features: common },
              errors: []
            }
          }
        }
      )
    ],
    result: { ...shownBase, ...shownCommon, confidential: false }
  },
  {
    title: 'sends what Enterprise has to a forge that is one',
    tool: 'create_work_item',
    args: {
      group_id: 'acme',
      type_id: 8,
      title: 'Fly',
      weight: 0,
      health_status: 'at_risk',
      iteration_id: '4',
      color: '#1f75cb'
    },
    exchanges: [
      edition(true),
      graphql(
        createMutation(
          'features { color { color } healthStatus { healthStatus } iteration { iteration { id } } weight { weight } }'
        ),
        {
          input: {
            namespacePath: 'acme',
            workItemTypeId: typeId(8),
            title: 'Fly',
            weightWidget: { weight: 0 },
            healthStatusWidget: { healthStatus: 'atRisk' },
            iterationWidget: { iterationId: 'gid://gitlab/Iteration/4' },
            colorWidget: { color: '#1f75cb' }
          }
        },
        created
      )
    ]
  },
  {
    title: 'sends a Community forge nothing that it does not have',
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'task', title: 'Fuel', weight: 3 },
    exchanges: [edition(false)],
    error:
      'weight: only the Enterprise edition of the forge has this, and this is the Community edition. Nothing was sent: leave it out.'
  },
  {
    title: 'finds a type of the forge’s own by its name',
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'user_story', title: 'Fuel' },
    exchanges: [
      types,
      graphql(
        createMutation(''),
        { input: { namespacePath: 'acme/rocket', workItemTypeId: typeId(1001), title: 'Fuel' } },
        created
      )
    ]
  },
  {
    title: 'names the types where there is none of that name, and sends nothing',
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'saga', title: 'Fuel' },
    exchanges: [types],
    error: 'There is no type "saga" in "acme/rocket". Types there: "Task", "User Story".'
  },
  {
    title: 'says what may be wrong with a place that has no types',
    tool: 'create_work_item',
    args: { group_id: 'acme', type: 'saga', title: 'Fuel' },
    exchanges: [
      graphql(
        typesQuery,
        { namespacePath: 'acme', onlyAvailable: true },
        { data: { namespace: { workItemTypes: { nodes: [] } } } }
      )
    ],
    error:
      'There is no type "saga" in "acme". The forge names no type there: check the path, and that it is a project, as groups have none without a licence for epics.'
  },
  ...[
    { data: { workItemCreate: { workItem: null, errors: ['Work item type not found'] } } },
    { errors: [{ message: 'Work Item type with id gid://gitlab/WorkItems::Type/6 was not found' }] }
  ].map((answer, at) => ({
    title: `names the types where the forge refuses one in ${at === 0 ? 'the payload' : 'an error'}`,
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'objective', title: 'Fly' },
    exchanges: [
      graphql(
        createMutation(''),
        { input: { namespacePath: 'acme/rocket', workItemTypeId: typeId(6), title: 'Fly' } },
        answer
      ),
      types
    ],
    error: /type.* not found"?\. Types there: "Task", "User Story"\.$/
  })),
  ...[
    [{ type: 'Epic' }, 'Work item type not found', [types]],
    [{ type_id: '8' }, 'You cannot create this here', []]
  ].map(([type, refusal, then]) => ({
    title: `says that epics are of groups where the forge makes none in a project: ${refusal}`,
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', ...(type as object), title: 'Fly' },
    exchanges: [
      graphql(
        createMutation(''),
        { input: { namespacePath: 'acme/rocket', workItemTypeId: typeId(8), title: 'Fly' } },
        { data: { workItemCreate: { workItem: null, errors: [refusal] } } }
      ),
      ...(then as (typeof types)[])
    ],
    error:
      /^The forge refused the change: .* Epics are of groups: give the group_id of the project’s group in place of project_id\.$/
  })),
  ...[
    { data: { workItemCreate: { workItem: null, errors: ['No matching work item found. Make sure.'] } } },
    {
      errors: [
        {
          message:
            "The resource that you are attempting to access does not exist or you don't have permission"
        }
      ]
    }
  ].map((answer, at) => ({
    title: `says which number a parent is named by where the forge refuses it in ${at === 0 ? 'the payload' : 'an error'}`,
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'task', title: 'Fuel', parent_id: 2 },
    exchanges: [
      graphql(
        createMutation(`features { hierarchy { parent { ${place} } } }`),
        {
          input: {
            namespacePath: 'acme/rocket',
            workItemTypeId: typeId(5),
            title: 'Fuel',
            hierarchyWidget: { parentId: 'gid://gitlab/WorkItem/2' }
          }
        },
        answer
      )
    ],
    error: /\. parent_id is the id of a work item, not its iid: give its place, as in acme\/rocket#7\.$/
  })),
  ...(
    [
      ['acme/website#3', { fullPath: 'acme/website', iid: '3' }],
      ['acme&3', { fullPath: 'acme', iid: '3' }],
      ['#3', { fullPath: 'acme/rocket', iid: '3' }],
      ['https://forge.example/acme/website/-/issues/3', { fullPath: 'acme/website', iid: '3' }],
      ['https://forge.example/acme/website/-/work_items/3#note_1', { fullPath: 'acme/website', iid: '3' }],
      ['https://forge.example/groups/acme/-/epics/3', { fullPath: 'acme', iid: '3' }]
    ] as const
  ).map(([parent_id, at]) => ({
    title: `a parent is found by its place or address, ${parent_id}`,
    tool: 'update_work_item',
    args: { ...args, parent_id },
    exchanges: [
      graphql(
        itemIdQuery,
        at,
        inside({
          id: 'gid://gitlab/WorkItem/500',
          workItemType: { name: at.fullPath === 'acme' ? 'Epic' : 'Issue' }
        })
      ),
      found,
      graphql(
        updateMutation(`features { hierarchy { parent { ${place} } } }`),
        {
          input: {
            id: 'gid://gitlab/WorkItem/512',
            hierarchyWidget: { parentId: 'gid://gitlab/WorkItem/500' }
          }
        },
        { data: { workItemUpdate: { workItem: base, errors: [] } } }
      )
    ],
    result: { ...shownBase, confidential: false }
  })),
  {
    title: 'a parent that is not there is told before anything is changed',
    tool: 'update_work_item',
    args: { ...args, parent_id: 'acme/website#3' },
    exchanges: [graphql(itemIdQuery, { fullPath: 'acme/website', iid: '3' }, inside(null))],
    error: 'parent_id names no work item, or none that may be seen here: "acme/website#3".'
  },
  {
    title: 'an epic is never the issue of that number in the project of the call',
    tool: 'update_work_item',
    args: { ...args, parent_id: '&3' },
    error: 'parent_id names an epic, and those are of groups: give its place, as in acme&3.'
  },
  {
    title: 'asks for no number that is none',
    tool: 'list_work_items',
    args: { project_id: 'acme/rocket', iids: ['3', 'acme/rocket#7'] },
    error: 'iids are numbers, which "acme/rocket#7" is not.'
  },
  {
    title: 'an issue is never the epic of that number in the group of the call',
    tool: 'list_work_items',
    args: { group_id: 'acme', parent_ids: ['#3'] },
    error: 'parent_ids names an issue, and those are of projects: give its place, as in acme/rocket#3.'
  },
  {
    title: 'what is written as an epic of a project is no issue of it',
    tool: 'update_work_item',
    args: { ...args, parent_id: 'acme/website&3' },
    exchanges: [
      graphql(
        itemIdQuery,
        { fullPath: 'acme/website', iid: '3' },
        inside({ id: 'gid://gitlab/WorkItem/500', workItemType: { name: 'Issue' } })
      )
    ],
    error: 'parent_id names no work item, or none that may be seen here: "acme/website&3".'
  },
  ...(
    [
      [
        'https://forge.example/acme/rocket/-/merge_requests/3',
        'parent_id is the address of a merge request, which get_merge_request shows: give that of a work item.'
      ],
      [
        'https://forge.example/groups/acme/-/milestones/3',
        'parent_id is the address of a milestone, which list_milestones shows: give that of a work item.'
      ],
      [
        'https://other.example/acme/rocket/-/issues/3',
        'parent_id is not of this forge, which is https://forge.example. Nothing was asked.'
      ]
    ] as const
  ).map(([parent_id, error]) => ({
    title: `a parent is not named by the address of something else, ${parent_id}`,
    tool: 'update_work_item',
    args: { ...args, parent_id },
    error
  })),
  {
    title: 'a parent is no title',
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'task', title: 'Fuel', parent_id: 'Launch #1' },
    error:
      'parent_id must be the id of a work item, its place, as in acme/rocket#7, or its web address, not "Launch #1": get_work_item gives the id of what has an iid in a project_id or group_id.'
  },
  {
    title: 'looks for no more parents by their places than for names elsewhere',
    tool: 'list_work_items',
    args: { group_id: 'acme', parent_ids: Array.from({ length: 51 }, (_, at) => `acme&${at}`) },
    error: 'parent_ids has 51 names to look up, and may have 50: give ids.'
  },
  {
    title: 'joins the errors of the payload',
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', type: 'task', title: ' ' },
    exchanges: [
      graphql(
        createMutation(''),
        { input: { namespacePath: 'acme/rocket', workItemTypeId: typeId(5), title: ' ' } },
        { data: { workItemCreate: { workItem: null, errors: ["Title can't be blank", 'Sorry'] } } }
      )
    ],
    error: 'The forge refused the change: "Title can\'t be blank; Sorry".'
  },
  {
    title: 'takes a type once: by name or by id',
    tool: 'create_work_item',
    args: { project_id: 'acme/rocket', title: 'Fuel', type: 'task', type_id: '5' },
    error: "Only one of 'type' or 'type_id' can be provided, not both."
  },
  {
    title: 'looks the item up and changes what is given',
    tool: 'update_work_item',
    args: {
      ...args,
      title: 'Fuel it',
      description: '',
      state_event: 'close',
      assignee_ids: [],
      add_label_ids: [5],
      remove_label_ids: [6],
      due_date: '2026-12-02',
      status: 'Done'
    },
    exchanges: [
      edition(true),
      found,
      graphql(
        updateMutation(
          'features { assignees { assignees { nodes { id username } } } labels { labels { nodes { id title } } } startAndDueDate { startDate dueDate } status { status { name } } }'
        ),
        {
          input: {
            id: 'gid://gitlab/WorkItem/512',
            title: 'Fuel it',
            stateEvent: 'CLOSE',
            descriptionWidget: { description: '' },
            assigneesWidget: { assigneeIds: [] },
            labelsWidget: { addLabelIds: ['gid://gitlab/Label/5'], removeLabelIds: ['gid://gitlab/Label/6'] },
            startAndDueDateWidget: { dueDate: '2026-12-02' },
            statusWidget: { status: 'gid://gitlab/WorkItems::Statuses::SystemDefined::Status/3' }
          }
        },
        updated
      )
    ],
    result: { ...shownBase, confidential: false }
  },
  {
    title: 'takes a status of the forge’s own by its gid, and where the edition is not known tries it',
    tool: 'update_work_item',
    args: { ...args, status: 'gid://gitlab/WorkItems::Statuses::Custom::Status/9' },
    exchanges: [
      editionUnknown,
      found,
      graphql(
        updateMutation('features { status { status { name } } }'),
        {
          input: {
            id: 'gid://gitlab/WorkItem/512',
            statusWidget: { status: 'gid://gitlab/WorkItems::Statuses::Custom::Status/9' }
          }
        },
        updated
      )
    ]
  },
  {
    title: 'refuses a status that is none before anything is sent',
    tool: 'update_work_item',
    args: { ...args, status: 'paused' },
    error: /^status must be to_do, in_progress, done, wont_do, duplicate or a global id/
  },
  {
    title: 'needs something to change',
    tool: 'update_work_item',
    args: { ...args, add_label_ids: [] },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'changes nothing where there is no such item',
    tool: 'update_work_item',
    args: { ...args, title: 'Fuel it' },
    exchanges: [graphql(itemIdQuery, one, inside(null))],
    error: 'There is no work item 7 in "acme/rocket", or the token may not see it.'
  },
  {
    title: 'shows comments in their threads, without what the forge remarked',
    tool: 'list_work_item_notes',
    args: { ...args, first: 2, after: 'abc' },
    exchanges: [
      graphql(
        notesQuery,
        { ...one, sort: 'CREATED_ASC', first: 2, after: 'abc' },
        inside({
          widgets: [
            {},
            {
              discussions: {
                nodes: [
                  {
                    id: 'gid://gitlab/Discussion/abc',
                    resolved: false,
                    notes: {
                      nodes: [
                        {
                          id: 'gid://gitlab/Note/9',
                          body: 'Full?',
                          system: false,
                          internal: true,
                          createdAt: '2026-11-01T00:00:00Z',
                          author: { username: 'ada' }
                        }
                      ]
                    }
                  },
                  {
                    id: 'gid://gitlab/Discussion/def',
                    resolved: false,
                    notes: {
                      nodes: [{ id: 'gid://gitlab/Note/10', body: 'closed', system: true, author: null }]
                    }
                  }
                ],
                pageInfo: { hasNextPage: true, endCursor: 'ghi' }
              }
            }
          ]
        })
      )
    ],
    result: {
      discussions: [
        {
          discussion_id: 'gid://gitlab/Discussion/abc',
          resolved: false,
          notes: [
            {
              id: 9,
              author: 'ada',
              body: 'Full?',
              created_at: '2026-11-01T00:00:00Z',
              internal: true,
              system: false
            }
          ]
        }
      ],
      pageInfo: { hasNextPage: true, endCursor: 'ghi' }
    }
  },
  {
    title: 'says where there are no notes to see',
    tool: 'list_work_item_notes',
    args,
    exchanges: [graphql(notesQuery, { ...one, sort: 'CREATED_ASC', first: 20 }, inside({ widgets: [] }))],
    error: 'Work item 7 has no notes that the forge shows to this token.'
  },
  {
    title: 'answers a thread',
    tool: 'create_work_item_note',
    args: { ...args, body: 'Yes.', discussion_id: 'gid://gitlab/Discussion/abc', internal: true },
    exchanges: [
      found,
      noted(
        { body: 'Yes.', discussionId: 'gid://gitlab/Discussion/abc', internal: true },
        {
          data: {
            createNote: {
              note: {
                id: 'gid://gitlab/Note/11',
                body: 'Yes.',
                discussion: { id: 'gid://gitlab/Discussion/abc' }
              },
              errors: []
            }
          }
        }
      )
    ],
    result: { id: 11, body: 'Yes.', discussion_id: 'gid://gitlab/Discussion/abc' }
  },
  {
    title: 'answers a thread that is named as over REST',
    tool: 'create_work_item_note',
    args: { ...args, body: 'Yes.', discussion_id: 'ab'.repeat(20) },
    exchanges: [
      found,
      noted(
        { body: 'Yes.', discussionId: `gid://gitlab/Discussion/${'ab'.repeat(20)}` },
        { data: { createNote: { note: { id: 'gid://gitlab/Note/11', body: 'Yes.' }, errors: [] } } }
      )
    ],
    result: { id: 11, body: 'Yes.' }
  },
  {
    title: 'gives what the forge said of quick actions, which leave no note',
    tool: 'create_work_item_note',
    args: { ...args, body: '/close\n' },
    exchanges: [
      found,
      noted(
        { body: '/close\n' },
        { data: { createNote: { note: null, errors: ['Commands only Closed this.'] } } }
      )
    ],
    result: {
      message: 'The forge took the body as quick actions and made no note.',
      messages: ['Commands only Closed this.']
    }
  },
  {
    title: 'is refused where the forge refuses words',
    tool: 'create_work_item_note',
    args: { ...args, body: 'Yes.' },
    exchanges: [
      found,
      noted({ body: 'Yes.' }, { data: { createNote: { note: null, errors: ['Discussion is locked'] } } })
    ],
    error: 'The forge refused the change: "Discussion is locked".'
  },
  {
    title: 'takes the discussions of its own list only',
    tool: 'create_work_item_note',
    args: { ...args, body: 'Yes.', discussion_id: 'abc' },
    error: /discussion_id must be the gid of a discussion from list_work_item_notes/
  }
])

for (const [what, options] of [
  ['an Enterprise forge', {}],
  ['a Community forge of an older release', { edition: 'ce', version: '17.2.0' }]
] as const)
  story(
    `work on ${what}, from making an item to closing it`,
    [workItems],
    async (t, as) => {
      const ada = as('ada')
      const place = { project_id: 'acme/rocket' }
      const drift = (await ada('get_work_item', { ...place, iid: 1 })).value
      t.match(drift, {
        type: 'Issue',
        assignees: ['linus'],
        parent: 'acme#1',
        linked: [{ item: 'acme/rocket#2' }]
      })
      t.equal(drift.weight, what === 'an Enterprise forge' ? 3 : undefined)
      const made = await ada('create_work_item', {
        ...place,
        type: 'task',
        title: 'Fuel',
        parent_id: drift.id
      })
      const issue = { ...place, type: 'issue', title: 'Fuel', parent_id: drift.id }
      t.match((await ada('create_work_item', issue)).error, /not allowed to add this type of parent item"\.$/)
      const one = { ...place, iid: made.value.iid }
      t.same((await ada('get_work_item', { ...place, iid: 1 })).value.children, [
        `acme/rocket#${made.value.iid}`
      ])
      const dated = { milestone_id: '1.5', due_date: '2026-12-02', start_date: '2026-12-01' }
      t.match((await ada('update_work_item', { ...one, ...dated })).value, { ...dated, milestone_id: 1 })
      const none = { milestone_id: 0, parent_id: '0', due_date: '', start_date: '' }
      t.equal((await ada('update_work_item', { ...one, ...none })).error, undefined)
      const bare = (await ada('get_work_item', one)).value
      t.same(
        Object.keys(none).filter(name => (bare[name] ?? bare.parent) !== undefined),
        [],
        'what is set to none is gone'
      )
      t.match(await ada('update_work_item', { ...one, due_date: '2026-11-31' }), {
        error: /due_date must be a date that there is/
      })
      await ada('update_work_item', { ...one, parent_id: drift.id })
      await ada('create_work_item_note', { ...one, body: 'Full?' })
      const { discussions } = (await ada('list_work_item_notes', one)).value
      await ada('create_work_item_note', {
        ...one,
        body: 'Yes.',
        discussion_id: discussions[0].discussion_id
      })
      t.match(await ada('create_work_item_note', { ...one, body: '/close' }), {
        value: { messages: [/Closed this issue/] }
      })
      t.equal((await ada('update_work_item', { ...one, state_event: 'reopen' })).value.state, 'opened')
      const bodies = async (more: object) =>
        (await ada('list_work_item_notes', { ...one, ...more })).value.discussions.flatMap(
          ({ notes }: { notes: { body: string }[] }) => notes.map(({ body }) => body)
        )
      t.same(await bodies({}), ['Full?', 'Yes.'])
      t.same(await bodies({ comments_only: false }), ['Full?', 'Yes.', 'closed', 'reopened'])
      const listed = await ada('list_work_items', { group_id: 'acme', parent_ids: ['acme/rocket#1'] })
      t.match(listed.value.work_items, [{ title: 'Fuel', parent: 'acme/rocket#1' }])
      t.match(await ada('create_work_item', { ...place, type: 'epic', title: 'Fly' }), {
        error: /Work item type not found"\. Types there: "Issue", "Incident"/
      })
      t.match(await as('edsger')('get_work_item', { ...place, iid: 1 }), { error: /^There is no project/ })
      const readOnly = (await as('reader')('update_work_item', { ...one, title: 'x' })).error
      t.match(readOnly, /don't have permission.* the token the api scope \(read_api to read\)/)
      t.match(await as('grace')('update_work_item', { ...place, iid: 4, title: 'x' }), {
        value: { title: 'x' }
      })
    },
    options
  )
