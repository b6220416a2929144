import { issues } from '../../../tools/issues/index.ts'
import { runTable } from '../../support/tool-table.ts'

const issue = { project_id: 'acme/rocket', issue_iid: '7' }
const path = '/projects/acme%2Frocket/issues/7/links'
const target = { target_project_id: 'acme/pad', target_issue_iid: '3' }
const body = { ...target, link_type: 'relates_to' }

runTable(issues, [
  {
    title: 'lists the linked issues with what links them',
    tool: 'list_issue_links',
    args: issue,
    exchanges: [
      {
        request: `GET ${path}`,
        reply: { body: [{ iid: 3, issue_link_id: 11, link_type: 'blocks', _links: {}, closed_at: null }] }
      }
    ],
    result: [{ iid: 3, issue_link_id: 11, link_type: 'blocks' }]
  },
  {
    title: 'needs the issue',
    tool: 'list_issue_links',
    args: { project_id: '1' },
    error: 'Invalid arguments: issue_iid is required.'
  },
  {
    title: 'has no further pages, because the forge gives all links at once',
    tool: 'list_issue_links',
    args: { ...issue, page: 2, per_page: 101 },
    error:
      'Invalid arguments: unknown argument "page", this list comes whole, so it has no other pages: leave it out; unknown argument "per_page", this list comes whole, whatever the length of a page: leave it out.'
  },
  {
    title: 'says so under any name of these arguments, and of what is no length',
    tool: 'list_issue_links',
    args: { ...issue, pageNumber: 2, limit: 0 },
    error:
      'Invalid arguments: unknown argument "pageNumber", this list comes whole, so it has no other pages: leave it out; unknown argument "limit", this list comes whole, whatever the length of a page: leave it out.'
  },
  ...[
    { page: '1', per_page: 20 },
    { pageNumber: 1, perPage: '100' }
  ].map(page => ({
    title: `is its own first page, of any length that pages have: ${Object.keys(page)}`,
    tool: 'list_issue_links',
    args: { ...issue, ...page },
    exchanges: [{ request: `GET ${path}`, reply: { body: [{ iid: 3 }] } }],
    result: [{ iid: 3 }],
    notices: []
  })),
  {
    title: 'reads one link with both its issues',
    tool: 'get_issue_link',
    args: { ...issue, issue_link_id: 11 },
    exchanges: [
      {
        request: `GET ${path}/11`,
        reply: {
          body: { id: 11, source_issue: { iid: 7 }, target_issue: { iid: 3 }, link_type: 'relates_to' }
        }
      }
    ],
    result: { id: 11, source_issue: { iid: 7 }, target_issue: { iid: 3 }, link_type: 'relates_to' }
  },
  {
    title: 'refuses a link id that climbs out of its path',
    tool: 'get_issue_link',
    args: { ...issue, issue_link_id: '../../8' },
    error: 'issue_link_id must be a number, as list_issue_links gives it, not "../../8".'
  },
  {
    title: 'links to an issue of another project, related when no type is given',
    tool: 'create_issue_link',
    args: { ...issue, ...target, link_type: null },
    exchanges: [
      { request: `POST ${path}`, body, reply: { status: 201, body: { id: 12, link_type: 'relates_to' } } }
    ],
    result: { id: 12, link_type: 'relates_to' }
  },
  ...[
    ['Blocked by', 'is_blocked_by'],
    ['blocked_by', 'is_blocked_by'],
    ['depends on', 'is_blocked_by'],
    ['Blocks', 'blocks'],
    ['blocking', 'blocks'],
    ['is related to', 'relates_to'],
    ['relates', 'relates_to']
  ].map(([given, link_type]) => ({
    title: `reads ${given} as ${link_type}`,
    tool: 'create_issue_link',
    args: { ...issue, ...target, link_type: given },
    exchanges: [
      { request: `POST ${path}`, body: { ...body, link_type }, reply: { status: 201, body: { id: 12 } } }
    ]
  })),
  {
    title: 'sends an encoded target project decoded, for a body is not a path',
    tool: 'create_issue_link',
    args: { ...issue, ...target, target_project_id: 'acme%2Fpad', link_type: 'is_blocked_by' },
    exchanges: [
      {
        request: `POST ${path}`,
        body: { ...body, link_type: 'is_blocked_by' },
        reply: { status: 201, body: { id: 12 } }
      }
    ]
  },
  {
    title: 'takes numbers as ids of the target',
    tool: 'create_issue_link',
    args: { ...issue, target_project_id: 2, target_issue_iid: 3 },
    exchanges: [
      {
        request: `POST ${path}`,
        body: { target_project_id: '2', target_issue_iid: '3', link_type: 'relates_to' },
        reply: { status: 201, body: { id: 12 } }
      }
    ]
  },
  {
    title: 'says how a target is named',
    tool: 'create_issue_link',
    args: { ...issue, target_issue_iid: 'the other' },
    error:
      'target_issue_iid must be a number, a reference such as group/project#7 or a web address, not "the other".'
  },
  ...[
    ['a reference', { target_issue_iid: 'acme/pad#3' }],
    ['a reference beside its project', { target_issue_iid: 'acme/pad#3', target_project_id: 'acme%2Fpad' }],
    ['its web address', { target_issue_iid: 'https://forge.example/acme/pad/-/issues/3#note_9' }],
    ['its web address as a work item', { target_issue_iid: 'https://forge.example/acme/pad/-/work_items/3' }],
    [
      'its web address where its project is meant',
      { target_project_id: 'https://forge.example/acme/pad/-/issues/3' }
    ]
  ].map(([how, named]) => ({
    title: `takes a target by ${how}`,
    tool: 'create_issue_link',
    args: { ...issue, ...(named as object) },
    exchanges: [{ request: `POST ${path}`, body, reply: { status: 201, body: { id: 1 } } }]
  })),
  {
    title: 'refuses a target of another project than the one that is named beside it',
    tool: 'create_issue_link',
    args: { ...issue, target_issue_iid: 'acme/pad#3', target_project_id: 'acme/rocket' },
    error: 'target_issue_iid is of "acme/pad": give that as target_project_id, or the number alone.'
  },
  {
    title: 'refuses what is no issue as a target',
    tool: 'create_issue_link',
    args: { ...issue, target_issue_iid: 'acme/pad!3' },
    error: /^target_issue_iid is the reference of a merge request, which get_merge_request shows/
  },
  {
    title: 'takes the number of a target as it is written in texts',
    tool: 'create_issue_link',
    args: { ...issue, ...target, target_issue_iid: '#3' },
    exchanges: [{ request: `POST ${path}`, body, reply: { status: 201, body: { id: 1 } } }]
  },
  {
    title: 'needs the target, in the same project unless another is named',
    tool: 'create_issue_link',
    args: issue,
    error: 'Invalid arguments: target_issue_iid is required.'
  },
  {
    title: 'refuses a type the forge does not have',
    tool: 'create_issue_link',
    args: { ...issue, ...target, link_type: 'duplicates' },
    error: 'Invalid arguments: link_type must be one of relates_to, blocks, is_blocked_by.'
  },
  {
    title: 'refuses a target project with a broken escape before anything is sent',
    tool: 'create_issue_link',
    args: { ...issue, ...target, target_project_id: 'acme%2' },
    error: 'target_project_id has a malformed % escape: "acme%2".'
  },
  {
    title: 'says which of the two issues is not there',
    tool: 'create_issue_link',
    args: { ...issue, ...target },
    exchanges: [
      { request: `POST ${path}`, body, reply: { status: 404, body: { message: '404 Not found' } } },
      { request: 'GET /projects/acme%2Frocket/issues/7', reply: { body: { iid: 7 } } },
      { request: 'GET /projects/acme%2Fpad/issues/3', reply: { status: 404, body: {} } }
    ],
    error: /^The forge answered 404 Not Found\. It is target_issue_iid that is not found\. /
  },
  {
    title: 'says so of the first one, too',
    tool: 'create_issue_link',
    args: { ...issue, ...target },
    exchanges: [
      { request: `POST ${path}`, body, reply: { status: 404, body: { message: '404 Not found' } } },
      { request: 'GET /projects/acme%2Frocket/issues/7', reply: { status: 404, body: {} } }
    ],
    error: /^The forge answered 404 Not Found\. It is issue_iid that is not found\. /
  },
  {
    title: 'says where to look when the two are linked already',
    tool: 'create_issue_link',
    args: { ...issue, ...target },
    exchanges: [
      {
        request: `POST ${path}`,
        body,
        reply: { status: 409, body: { message: 'Issue(s) already assigned' } }
      }
    ],
    error:
      'The forge answered 409 Conflict: "Issue(s) already assigned". The two issues are linked already: see list_issue_links. To link them in another way, delete_issue_link first.'
  },
  {
    title: 'removes a link and says so, whatever record the forge answers with',
    tool: 'delete_issue_link',
    args: { ...issue, issue_link_id: '11' },
    exchanges: [{ request: `DELETE ${path}/11`, reply: { body: { id: 11, link_type: 'relates_to' } } }],
    result: { status: 'success', message: 'The link is removed.' }
  },
  {
    title: 'does not claim a removal that the forge did not confirm',
    tool: 'delete_issue_link',
    args: { ...issue, issue_link_id: '11' },
    exchanges: [
      {
        request: `DELETE ${path}/11`,
        reply: { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' }
      }
    ],
    error: /web page instead of JSON.*may or may not have been made/
  },
  {
    title: 'needs the link',
    tool: 'delete_issue_link',
    args: issue,
    error: 'Invalid arguments: issue_link_id is required.'
  }
])
