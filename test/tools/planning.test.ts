import { planning } from '../../tools/planning/index.ts'
import { confirmed } from '../support/confirmed.ts'
import { story } from '../support/sandbox-tools.ts'
import { runTable } from '../support/tool-table.ts'

const bug = {
  id: 4,
  name: 'bug',
  color: '#d9534f',
  description: null,
  text_color: '#fff',
  subscribed: false,
  priority: 1
}
const shownBug = { id: 4, name: 'bug', color: '#d9534f', priority: 1 }
const autumn = {
  id: 9,
  iid: 1,
  title: 'Autumn',
  state: 'active',
  group_id: 7,
  web_url: 'https://forge.example/m'
}
const time = {
  human_total_time_spent: '3h',
  human_time_estimate: null,
  total_time_spent: 10800,
  time_estimate: 0
}
const { human_time_estimate: _, ...shownTime } = time

runTable(planning, [
  {
    title: 'lists labels with their ids',
    tool: 'list_labels',
    args: { project_id: 'acme/rocket', search: 'b', with_counts: true },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/labels?search=b&with_counts=true',
        reply: { body: [{ ...bug, open_issues_count: 3 }] }
      }
    ],
    result: [{ ...shownBug, open_issues_count: 3 }]
  },
  {
    title: 'lists a group’s labels',
    tool: 'list_labels',
    args: { group_id: 'acme', only_group_labels: true, include_descendant_groups: true },
    exchanges: [
      {
        request: 'GET /groups/acme/labels?only_group_labels=true&include_descendant_groups=true',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'what only groups know is refused for a project',
    tool: 'list_labels',
    args: { project_id: '1', only_group_labels: true },
    error: "'only_group_labels' can only be given with 'group_id'."
  },
  {
    title: 'creates a label in a color of its own where none is given',
    tool: 'create_label',
    args: { group_id: 'acme', name: 'needs: review/now' },
    exchanges: [
      {
        request: 'POST /groups/acme/labels',
        body: { color: '#6699cc', name: 'needs: review/now' },
        reply: { status: 201, body: bug }
      }
    ],
    result: shownBug
  },
  {
    title: 'creates a label with all that is given',
    tool: 'create_label',
    args: { project_id: '1', name: 'bug', color: 'red', description: 'x', priority: 0 },
    exchanges: [
      {
        request: 'POST /projects/1/labels',
        body: { color: 'red', name: 'bug', description: 'x', priority: 0 },
        reply: { status: 201, body: bug }
      }
    ]
  },
  {
    title: 'says what to do about a label that exists',
    tool: 'create_label',
    args: { project_id: '1', name: 'bug' },
    exchanges: [
      {
        request: 'POST /projects/1/labels',
        body: { color: '#6699cc', name: 'bug' },
        reply: { status: 409, body: { message: 'Label already exists' } }
      }
    ],
    error:
      'The forge answered 409 Conflict: "Label already exists". There is a label of that name, perhaps of a group above: see list_labels, and use it.'
  },
  {
    title: 'a label with a comma is two, and refused',
    tool: 'create_label',
    args: { project_id: '1', name: 'a,b' },
    error: 'A label cannot have a comma in its name: leave it out, or make two labels.'
  },
  {
    title: 'only projects order their labels',
    tool: 'create_label',
    args: { group_id: 'acme', name: 'x', priority: 1 },
    error: "'priority' can only be given with 'project_id'."
  },
  {
    title: 'a label is named with slashes and dots',
    tool: 'update_label',
    args: { project_id: '1', label: 'v1.0/ready, set', new_name: 'v1.0/go' },
    exchanges: [
      {
        request: 'PUT /projects/1/labels/v1%2E0%2Fready%2C%20set',
        body: { new_name: 'v1.0/go' },
        reply: { body: bug }
      }
    ],
    result: shownBug
  },
  {
    title: 'a priority is taken away by null',
    tool: 'update_label',
    args: { project_id: '1', label: 4, clear_priority: true },
    exchanges: [{ request: 'PUT /projects/1/labels/4', body: { priority: null }, reply: { body: bug } }]
  },
  {
    title: 'a priority that is not to be taken away is no change',
    tool: 'update_label',
    args: { project_id: '1', label: 4, clear_priority: false },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'a priority is set where it is not to be taken away',
    tool: 'update_label',
    args: { project_id: '1', label: 4, priority: 2, clear_priority: false },
    exchanges: [{ request: 'PUT /projects/1/labels/4', body: { priority: 2 }, reply: { body: bug } }]
  },
  {
    title: 'a label of a group above is changed there',
    tool: 'update_label',
    args: { project_id: '1', label: 'customer', color: '#fff' },
    exchanges: [
      {
        request: 'PUT /projects/1/labels/customer',
        body: { color: '#fff' },
        reply: { status: 404, body: { message: '404 Label Not Found' } }
      },
      { request: 'GET /projects/1/labels?per_page=100', reply: { body: [{ name: 'customer' }] } }
    ],
    error: /Found"\. There is no such label here; one of a group above is changed with that group_id\.$/
  },
  {
    title: 'wants something to change',
    tool: 'update_label',
    args: { project_id: '1', label: 'bug' },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'a label may not climb',
    tool: 'update_label',
    args: { project_id: '1', label: '../../groups', color: '#fff' },
    error: /^label has an empty, "\." or "\.\." segment/
  },
  {
    title: 'deletes a label by its name',
    tool: 'delete_label',
    args: { group_id: 'acme', label: 'bug' },
    exchanges: [{ request: 'DELETE /groups/acme/labels/bug', reply: { status: 204 } }],
    result: { status: 'success', message: 'The label is deleted.' }
  },
  {
    title: 'deletes a label by its id when its name is given too',
    tool: 'delete_label',
    args: { project_id: '1', label: 4, confirm: 'bug' },
    exchanges: [
      {
        request: 'GET /projects/1/labels?search=bug&per_page=100&page=1',
        reply: { body: [{ ...bug, id: 3, name: 'bug 2' }], headers: { 'x-next-page': '2' } }
      },
      { request: 'GET /projects/1/labels?search=bug&per_page=100&page=2', reply: { body: [bug] } },
      { request: 'DELETE /projects/1/labels/4', reply: { status: 204 } }
    ],
    result: { status: 'success', message: 'The label is deleted.' }
  },
  {
    title: 'an id without a name deletes nothing',
    tool: 'delete_label',
    args: { project_id: '1', label: '4' },
    error: "A label given by its id is deleted only with its name as 'confirm'."
  },
  {
    title: 'an id of another label deletes nothing',
    tool: 'delete_label',
    args: { project_id: '1', label: '5', confirm: 'bug' },
    exchanges: [{ request: 'GET /projects/1/labels?search=bug&per_page=100&page=1', reply: { body: [bug] } }],
    error:
      'confirm is not the name of this label. Nothing was done: see list_labels, and if it is the right one give its name exactly as it is.'
  },
  {
    title: 'says that a label is kept',
    tool: 'delete_label',
    args: { project_id: '1', label: 'bug' },
    exchanges: [
      {
        request: 'DELETE /projects/1/labels/bug',
        reply: { status: 400, body: { message: 'Label is locked and was not removed' } }
      }
    ],
    error: /Label is locked and was not removed"\. The forge keeps this label/
  },
  {
    title: 'lists milestones by number',
    tool: 'list_milestones',
    args: { project_id: '1', iids: ['1', '2'], state: 'opened', include_ancestors: true },
    exchanges: [
      {
        request: 'GET /projects/1/milestones?iids%5B%5D=1&iids%5B%5D=2&state=active&include_ancestors=true',
        reply: { body: [{ ...autumn, created_at: 'x', start_date: null }] }
      }
    ],
    result: [autumn]
  },
  {
    title: 'lists those of a group and its subgroups by when they changed',
    tool: 'list_milestones',
    args: { group_id: 'acme', include_descendants: true, updated_after: '2026-01-01' },
    exchanges: [
      {
        request: 'GET /groups/acme/milestones?include_descendants=true&updated_after=2026-01-01',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'a project does not tell when its milestones changed',
    tool: 'list_milestones',
    args: { project_id: '1', updated_after: '2026-01-01' },
    error: "'updated_after' can only be given with 'group_id'."
  },
  {
    title: 'a number is no title',
    tool: 'list_milestones',
    args: { project_id: '1', iids: ['1.5'] },
    error: 'iids are numbers, which "1.5" is not.'
  },
  {
    title: 'refuses a blank title, which a forge does not accept',
    tool: 'create_milestone',
    args: { project_id: '1', title: ' ' },
    error: 'Invalid arguments: title must not be empty, and no address: it is the name itself.'
  },
  {
    title: 'reads an empty title as none, and has nothing to change then',
    tool: 'update_milestone',
    args: { project_id: '1', milestone_id: '1', title: '' },
    error: /^Nothing to update: give at least one field to change/
  },
  {
    title: 'creates a milestone',
    tool: 'create_milestone',
    args: { group_id: 'acme', title: 'Autumn', start_date: '2026-09-01', due_date: '2026-11-30' },
    exchanges: [
      {
        request: 'POST /groups/acme/milestones',
        body: { title: 'Autumn', start_date: '2026-09-01', due_date: '2026-11-30' },
        reply: { status: 201, body: autumn }
      }
    ],
    result: autumn
  },
  {
    title: 'a milestone does not end before it begins',
    tool: 'create_milestone',
    args: { group_id: 'acme', title: 'Autumn', start_date: '2026-09-01', due_date: '2026-08-30' },
    error: 'due_date 2026-08-30 is before start_date 2026-09-01.'
  },
  {
    title: 'a date has a year, a month and a day',
    tool: 'create_milestone',
    args: { group_id: 'acme', title: 'Autumn', due_date: '1.9.2026' },
    error: 'Invalid arguments: due_date must be a date that there is, written YYYY-MM-DD.'
  },
  {
    title: 'closes a milestone',
    tool: 'update_milestone',
    args: { project_id: '1', milestone_id: 9, state_event: 'close' },
    exchanges: [
      { request: 'PUT /projects/1/milestones/9', body: { state_event: 'close' }, reply: { body: autumn } }
    ],
    result: autumn
  },
  ...confirmed({
    tool: 'delete_milestone',
    args: { group_id: 'acme', milestone_id: 9 },
    path: '/groups/acme/milestones/9',
    record: autumn,
    noun: 'milestone',
    field: 'title',
    done: 'The milestone is deleted.'
  }),
  {
    title: 'lists the merge requests that mention an issue',
    tool: 'list_issue_related_merge_requests',
    args: { project_id: '1', issue_iid: 7 },
    exchanges: [
      {
        request: 'GET /projects/1/issues/7/related_merge_requests',
        reply: {
          body: [{ id: 3, iid: 2, project_id: 5, title: 'Fix', state: 'opened', description: 'long' }]
        }
      }
    ],
    result: [{ id: 3, iid: 2, project_id: 5, title: 'Fix', state: 'opened' }]
  },
  {
    title: 'lists those that close it',
    tool: 'list_issue_related_merge_requests',
    args: { project_id: '1', issue_iid: 7, relation: 'closing', per_page: 5 },
    exchanges: [{ request: 'GET /projects/1/issues/7/closed_by?per_page=5', reply: { body: [] } }]
  },
  {
    title: 'moves an issue to a project named by its path',
    tool: 'move_issue',
    args: { project_id: 'acme/rocket', issue_iid: 7, to_project: 'acme%2Fwebsite' },
    exchanges: [
      { request: 'GET /projects/acme%2Fwebsite', reply: { body: { id: 42 } } },
      {
        request: 'POST /projects/acme%2Frocket/issues/7/move',
        body: { to_project_id: 42 },
        reply: { status: 201, body: { id: 8, iid: 3, project_id: 42, title: 'Drift', state: 'opened' } }
      },
      { request: 'GET /projects/acme%2Frocket/issues/7', reply: { body: { labels: [], milestone: null } } }
    ],
    result: { id: 8, iid: 3, project_id: 42, title: 'Drift', state: 'opened' }
  },
  {
    title: 'says so when it cannot be seen what an issue lost on its way',
    tool: 'move_issue',
    args: { project_id: 'acme/rocket', issue_iid: 7, to_project: 42 },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/issues/7/move',
        body: { to_project_id: 42 },
        reply: { status: 201, body: { id: 8, iid: 3, project_id: 42, title: 'Drift', state: 'opened' } }
      },
      { request: 'GET /projects/acme%2Frocket/issues/7', reply: { status: 403, body: {} } }
    ],
    result: { id: 8, iid: 3, project_id: 42, title: 'Drift', state: 'opened' },
    notices: [
      'Whether it kept its labels, milestone and assignees could not be read: compare both by get_issue.'
    ]
  },
  {
    title: 'moves an issue to a project named by its id without asking',
    tool: 'move_issue',
    args: { project_id: 'acme/rocket', issue_iid: 7, to_project: 42 },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/issues/7/move',
        body: { to_project_id: 42 },
        reply: { status: 400, body: { message: 'Cannot move issue due to insufficient permissions!' } }
      }
    ],
    error: /It was moved already, or your role in one of both projects is too low/
  },
  ...confirmed({
    tool: 'delete_issue_note',
    args: { project_id: 'acme/rocket', issue_iid: 7, note_id: '31' },
    path: '/projects/acme%2Frocket/issues/7/notes/31',
    record: { id: 31, body: 'Wrong issue' },
    noun: 'note',
    field: 'body',
    done: 'The note is deleted.'
  }),
  {
    title: 'a note is known by its first line',
    tool: 'delete_issue_note',
    args: { project_id: 'acme/rocket', issue_iid: 7, note_id: '31', confirm: 'Wrong issue' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues/7/notes/31',
        reply: { body: { id: 31, body: 'Wrong issue\n\nSorry' } }
      },
      { request: 'DELETE /projects/acme%2Frocket/issues/7/notes/31', reply: { status: 204 } }
    ],
    result: { status: 'success', message: 'The note is deleted.' }
  },
  {
    title: 'says the state of an iteration in words',
    tool: 'list_iterations',
    args: { group_id: 'acme', state: 'current' },
    exchanges: [
      {
        request: 'GET /groups/acme/iterations?state=current',
        reply: {
          body: [
            {
              id: 1,
              iid: 2,
              sequence: 2,
              state: 2,
              title: null,
              start_date: '2026-11-16',
              due_date: '2026-11-22'
            }
          ]
        }
      }
    ],
    result: [{ id: 1, iid: 2, state: 'current', start_date: '2026-11-16', due_date: '2026-11-22' }]
  },
  {
    title: 'says which tier iterations are of',
    tool: 'list_iterations',
    args: { project_id: '1' },
    exchanges: [
      { request: 'GET /projects/1/iterations', reply: { status: 404, body: {} } },
      { request: 'GET /metadata', reply: { body: { enterprise: true } } }
    ],
    error: /list_iterations needs the Premium edition of the forge: that may be why/
  },
  {
    title: 'adds time spent on an issue',
    tool: 'add_spent_time',
    args: { project_id: '1', issue_iid: 7, duration: '3h', summary: 'Debugging' },
    exchanges: [
      {
        request: 'POST /projects/1/issues/7/add_spent_time',
        body: { duration: '3h', summary: 'Debugging' },
        reply: { status: 201, body: time }
      }
    ],
    result: shownTime
  },
  {
    title: 'takes back all time spent on a merge request',
    tool: 'add_spent_time',
    args: { project_id: '1', merge_request_iid: 7, reset: true },
    exchanges: [
      { request: 'POST /projects/1/merge_requests/7/reset_spent_time', body: {}, reply: { body: time } }
    ]
  },
  {
    title: 'adds or takes back, not both',
    tool: 'add_spent_time',
    args: { project_id: '1', issue_iid: 7, duration: '3h', reset: true },
    error: "Give 'duration', or 'reset': true alone."
  },
  ...['0h', '0', '-0m', '0h 0m', '0.0 hours', 0].map(duration => ({
    title: `refuses to add no time, which is given for taking all of it back: ${JSON.stringify(duration)}`,
    tool: 'add_spent_time',
    args: { project_id: '1', issue_iid: 7, duration },
    error: /^duration ".*0.*" adds nothing: give .* or 'reset': true alone, which takes all of it back\.$/
  })),
  {
    title: 'takes the number 0 for none, as that needs no unit',
    tool: 'set_time_estimate',
    args: { project_id: '1', issue_iid: 7, duration: 0 },
    exchanges: [
      { request: 'POST /projects/1/issues/7/time_estimate', body: { duration: '0' }, reply: { body: time } }
    ],
    notices: []
  },
  ...[
    ['update_milestone', 'milestone_id', 'acme/rocket', 'project_id', { title: 'New' }],
    ['update_milestone', 'milestone_id', 'groups/acme', 'group_id', { title: 'New' }],
    ['list_milestones', 'iids', 'acme/rocket', 'project_id', {}]
  ].map(([tool, name, path, place, others]) => ({
    title: `says where the address of a milestone of ${path} goes that is given as ${name} alone`,
    tool: tool as string,
    args: { [name as string]: `https://forge.example/${path}/-/milestones/3`, ...(others as object) },
    error: `${name} is an address: give all of it as ${place}, and no ${name}.`
  })),
  {
    title: 'says how one milestone is found in the list',
    tool: 'list_milestones',
    args: { project_id: '1', milestone_id: 9 },
    error: /^Invalid arguments: unknown argument "milestone_id", as this lists ids: title and iids find one,/
  },
  {
    title: 'is about one of both',
    tool: 'add_spent_time',
    args: { project_id: '1', duration: '3h' },
    error: "At least one of 'issue_iid' or 'merge_request_iid' must be provided."
  },
  {
    title: 'says of either number what it is',
    tool: 'set_time_estimate',
    args: { project_id: '1', merge_request_iid: 99, duration: '1d' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/99/time_estimate',
        body: { duration: '1d' },
        reply: { status: 404, body: { message: '404 Not found' } }
      }
    ],
    error:
      /Check the project, and that issue_iid or merge_request_iid is the number in the project, as in #7 or !7 and/
  },
  {
    title: 'sets an estimate',
    tool: 'set_time_estimate',
    args: { project_id: '1', merge_request_iid: 7, duration: '1d' },
    exchanges: [
      {
        request: 'POST /projects/1/merge_requests/7/time_estimate',
        body: { duration: '1d' },
        reply: { body: { ...time, time_estimate: 28800 } }
      }
    ],
    notices: []
  },
  {
    title: 'says that the forge could not read an estimate',
    tool: 'set_time_estimate',
    args: { project_id: '1', issue_iid: 7, duration: '9mo' },
    exchanges: [
      {
        request: 'POST /projects/1/issues/7/time_estimate',
        body: { duration: '9mo' },
        reply: { body: time }
      }
    ],
    result: shownTime,
    notices: ['The estimate is 0 now: the forge could not read "9mo". Write it like 3h30m or 1d.']
  },
  ...['~2h', '2h?', '1 working day', '2 moons', 'P1D', '1,5h', '-2h'].map(duration => ({
    title: `sends no estimate that a forge would take for none, as it would lose the one there is: ${duration}`,
    tool: 'set_time_estimate',
    args: { project_id: '1', issue_iid: 7, duration },
    error:
      'Invalid arguments: duration must be a length of time with its unit, such as 90m, 3h30m or 1d, and not negative.'
  })),
  ...Object.entries({ '2h30': '2h30m', PT2H: '2h', '1.5 hours': '1.5h', '1 week 3 days': '1w3d' }).map(
    ([duration, sent]) => ({
      title: `sends an estimate as every forge reads it: ${duration}`,
      tool: 'set_time_estimate',
      args: { project_id: '1', issue_iid: 7, duration },
      exchanges: [
        {
          request: 'POST /projects/1/issues/7/time_estimate',
          body: { duration: sent },
          reply: { body: time }
        }
      ]
    })
  ),
  {
    title: 'takes an estimate back',
    tool: 'set_time_estimate',
    args: { project_id: '1', issue_iid: 7, reset: true },
    exchanges: [
      { request: 'POST /projects/1/issues/7/reset_time_estimate', body: {}, reply: { body: time } }
    ],
    notices: []
  }
])

const rocket = { project_id: 'acme/rocket' }

story('labels and milestones are made, used, renamed and deleted', [planning], async (t, as) => {
  const ada = as('ada')
  const names = async (args: object) =>
    (await ada('list_labels', { per_page: 100, ...args })).value.map(({ name }: { name: string }) => name)
  t.ok((await names(rocket)).includes('customer'), 'the group’s too')
  t.notOk((await names({ ...rocket, include_ancestor_groups: false })).includes('customer'))
  const made = (await ada('create_label', { ...rocket, name: 'v2.0/late', color: 'red', priority: 2 })).value
  t.match(made, { name: 'v2.0/late', priority: 2, is_project_label: true })
  t.match((await ada('create_label', { ...rocket, name: 'customer' })).error, /409.*perhaps of a group above/)
  t.match((await ada('create_label', { ...rocket, name: 'x', color: '#12' })).error, /valid color/)
  const renamed = await ada('update_label', {
    ...rocket,
    label: 'v2.0/late',
    new_name: 'late',
    clear_priority: true
  })
  t.match(renamed.value, { id: made.id, name: 'late' })
  t.notOk('priority' in renamed.value)
  t.match(
    (await ada('update_label', { ...rocket, label: 'customer', color: 'red' })).error,
    /with that group_id/
  )
  t.match((await ada('update_label', { group_id: 'acme', label: 'customer', color: 'red' })).value, {
    color: 'red'
  })
  t.match(
    (await ada('delete_label', { ...rocket, label: made.id, confirm: 'bug' })).error,
    /Nothing was done/
  )
  t.match((await ada('delete_label', { ...rocket, label: made.id, confirm: 'late' })).value, {
    status: 'success'
  })
  t.match(
    (await ada('delete_label', { ...rocket, label: 'bugs' })).error,
    /Not Found"\. It may be deleted already; nothing was done\. One of a group above is deleted with/i,
    'the neighbour bug is not suggested'
  )
  t.match((await as('edsger')('list_labels', rocket)).error, /404/)
  t.match((await ada('list_labels', { group_id: 'acme/rocket' })).error, /404/, 'a project is no group')

  const winter = (
    await ada('create_milestone', {
      ...rocket,
      title: 'Winter',
      start_date: '2026-12-01',
      due_date: '2027-02-28'
    })
  ).value
  t.match(winter, { title: 'Winter', state: 'active', project_id: 41 })
  t.match(
    (await ada('create_milestone', { ...rocket, title: 'Autumn' })).error,
    /taken, perhaps by a group above/
  )
  t.match((await ada('list_milestones', { ...rocket, include_ancestors: true, title: 'Autumn' })).value, [
    { title: 'Autumn', group_id: 7 }
  ])
  t.match((await ada('list_milestones', { ...rocket, iids: [String(winter.iid)] })).value, [
    { id: winter.id }
  ])
  t.match(
    (await ada('update_milestone', { ...rocket, milestone_id: winter.id, state_event: 'close' })).value,
    {
      state: 'closed'
    }
  )
  t.same((await ada('list_milestones', { ...rocket, state: 'active', search: 'win' })).value, [])
  const gone = { ...rocket, milestone_id: winter.id, confirm: 'Winter' }
  t.match((await ada('delete_milestone', gone)).value, { status: 'success' })
  t.match((await ada('delete_milestone', gone)).error, /404/)
  t.match((await ada('list_iterations', { group_id: 'acme', state: 'current' })).value, [
    { state: 'current' }
  ])
  t.equal((await ada('list_iterations', { ...rocket, state: 'closed' })).value.length, 2)
})

story('an issue is estimated, worked on, and moved', [planning], async (t, as) => {
  const ada = as('ada')
  const drift = { ...rocket, issue_iid: '1' }
  t.match((await ada('set_time_estimate', { ...drift, duration: '1d 4h' })).value, { time_estimate: 43200 })
  for (const duration of ['soon', 'two days', 'none', '90', '0.5', '2 parts'])
    t.match(
      (await ada('set_time_estimate', { ...drift, duration })).error,
      /^Invalid arguments: duration must be a length of time with its unit, such as 90m, 3h30m or 1d/,
      duration
    )
  t.match((await ada('add_spent_time', { ...drift, duration: '3h30m', summary: 'Looked' })).value, {
    time_estimate: 43200,
    human_total_time_spent: '3h 30m'
  })
  t.match((await ada('add_spent_time', { ...drift, duration: '-30m' })).value, { total_time_spent: 10800 })
  t.match((await ada('add_spent_time', { ...drift, duration: '-30h' })).error, /exceeds/)
  const inWords = await ada('add_spent_time', { ...drift, duration: '1 hour, 30 minutes' })
  t.match(inWords.value, { total_time_spent: 16200 }, 'as people write it')
  t.match((await ada('add_spent_time', { ...drift, duration: '-90 Min' })).value, { total_time_spent: 10800 })
  t.match((await ada('add_spent_time', { ...drift, reset: true })).value, { total_time_spent: 0 })
  t.match((await ada('add_spent_time', { ...rocket, merge_request_iid: '1', duration: '1h' })).value, {
    total_time_spent: 3600
  })
  t.ok(Array.isArray((await ada('list_issue_related_merge_requests', drift)).value))
  t.ok(
    Array.isArray((await ada('list_issue_related_merge_requests', { ...drift, relation: 'closing' })).value)
  )

  await ada('create_label', { project_id: 'acme/website', name: 'guidance' })
  const moved = await ada('move_issue', { ...drift, to_project: 'acme/website' })
  t.match(moved.value, { project_id: 42, state: 'opened', title: 'Countdown drifts after a hold' })
  t.same(moved.value.labels, ['guidance'])
  t.same(moved.notices, [
    'Left behind: labels "bug"; update_issue with add_labels makes them there. ' +
      'Left behind: the milestone "1.5"; create_milestone makes one there.'
  ])
  t.match((await ada('move_issue', { ...drift, to_project: 'acme/website' })).error, /moved already/)
  t.match((await ada('move_issue', { ...rocket, issue_iid: '2', to_project: 'acme/nowhere' })).error, /404/)
})

story(
  'a forge without iterations says what they take',
  [planning],
  async (t, as) => {
    t.match((await as('ada')('list_iterations', { group_id: 'acme' })).error, /needs the Premium edition/)
  },
  { edition: 'ce' }
)
