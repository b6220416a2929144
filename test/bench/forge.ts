import { createServer } from 'node:net'

/*
 * The forge of the benchmark, in a process of its own: every request gets the same issue of about 1.5 KB. It
 * reads no more of HTTP than where a request ends, so that what is measured is the server before it.
 */

const person = (id: number, username: string, name: string) => ({
  id,
  username,
  public_email: '',
  name,
  state: 'active',
  locked: false,
  avatar_url: `https://forge.example/uploads/-/system/user/avatar/${id}/avatar.png`,
  web_url: `https://forge.example/${username}`
})

const issue = {
  id: 76,
  iid: 6,
  project_id: 8,
  title: 'Consequatur vero maxime deserunt laboriosam est voluptas dolorem.',
  description:
    'Ratione dolores corrupti mollitia soluta quia. The upload stops after *30 s* when the mirror is far away; see https://forge.example/group/app/-/jobs/771 for the log.',
  state: 'opened',
  created_at: '2026-01-04T15:31:51.081Z',
  updated_at: '2026-01-04T15:31:51.081Z',
  closed_at: null,
  closed_by: null,
  labels: ['backend', 'priority::2'],
  milestone: {
    id: 38,
    iid: 3,
    project_id: 8,
    title: 'v4.0',
    description: 'Rerum est voluptatem provident consequuntur molestias similique ipsum dolor.',
    state: 'active',
    created_at: '2026-01-04T15:31:39.996Z',
    updated_at: '2026-01-04T15:31:39.996Z',
    due_date: null
  },
  assignees: [person(4, 'lennie', 'Dr. Luella Kovacek')],
  author: person(18, 'eileen.lowe', 'Alexandra Bashirian'),
  type: 'ISSUE',
  user_notes_count: 1,
  upvotes: 4,
  downvotes: 0,
  due_date: null,
  confidential: false,
  discussion_locked: null,
  issue_type: 'issue',
  web_url: 'https://forge.example/group/app/-/issues/6',
  time_stats: {
    time_estimate: 0,
    total_time_spent: 0,
    human_time_estimate: null,
    human_total_time_spent: null
  },
  task_completion_status: { count: 0, completed_count: 0 },
  has_tasks: false,
  _links: {
    self: 'https://forge.example/api/v4/projects/8/issues/6',
    notes: 'https://forge.example/api/v4/projects/8/issues/6/notes',
    project: 'https://forge.example/api/v4/projects/8'
  },
  moved_to_id: null,
  severity: 'UNKNOWN'
}

const body = JSON.stringify(issue)
const reply = Buffer.from(
  [
    'HTTP/1.1 200 OK',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: max-age=0, private, must-revalidate',
    'Etag: W/"8d3eea48b38e71b8bfe8e72a4b8b8b9a"',
    'X-Request-Id: 01JABCDEFGHJKMNPQRSTVWXYZ0',
    'X-Runtime: 0.041',
    'Connection: keep-alive',
    '',
    body
  ].join('\r\n')
)

const server = createServer(socket => {
  let rest = ''
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', chunk => {
    rest += chunk.toString('latin1')
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      rest = rest.slice(end + 4)
      socket.write(reply)
    }
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object')
    process.stdout.write(`Server listening at http://127.0.0.1:${address?.port}\n`)
})
