import type { Goal, Message, Scenario } from './scenario.ts'

/* The table: what is measured beside what, and what is to be reached. */

const PROJECT = 'acme/rocket'

const call = (name: string, more: Readonly<Record<string, string>> = {}, project_id = PROJECT): Message => ({
  method: 'tools/call',
  params: { name, arguments: { project_id, ...more } }
})

const initialize: Message = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
}

const mergeRequest = call('get_merge_request', { merge_request_iid: '1' })
const log = call('get_pipeline_job_output', { job_id: '9' })

const all = { floor: 'floor', ours: 'ours', stateless: 'stateless', peer: 'peer' } as const
const three = { floor: 'floor', ours: 'ours', peer: 'peer' } as const

/** Of the floor, in session mode and in stateless mode. */
const ofFloor = (ours: number, stateless = ours): readonly Goal[] => [
  { of: 'ours', over: 'floor', ratio: ours },
  { of: 'stateless', over: 'floor', ratio: stateless }
]

/* What profiles say (`npm run bench -- --profile FOLDER`); written on the page where a goal is missed. */

const PARTS = 'Where the time of such a call goes is told part by part below.'

const profiles = {
  calls: PARTS,
  waiting: `${PARTS} 512 turns of 200 ms, of which fair shares leave about 467 in use, are no more than 2,335 calls a second, whatever the processor could do: \`FORGE_MAX_CONCURRENCY\` moves that.`,
  log: 'From run to run between 1.2 and 3.1: while other programs run, some calls take four times as long as the rest, and of none of these there is a profile yet.',
  besideLarge:
    'A program has one core for all of its threads here, and the worker that reads the records takes its part of it: the event loop itself is held for 12 to 17 ms of processor time at most.',
  start:
    'What the program’s files do when they are loaded takes a third, running plugins of Fastify a quarter, reading, compiling and linking the files a sixth, the collection of garbage a tenth.',
  idle: 'Each has a token and an address of its own here, and both are what it is counted by: its places among those who share the room take 500 of its bytes. One whose id is shared by its caller’s requests has a key for that, 215 bytes.',
  version:
    'All of what it takes beyond an empty program is that Node finds, reads and links five small files as modules.'
}

const start = { measure: 'start', sends: [initialize] } as const
const ofStart = [{ of: 'ours', over: 'floor', ratio: 1.5 }] as const

export const scenarios: readonly Scenario[] = [
  {
    name: 'calls',
    title: '`get_merge_request`, 32 in flight',
    programs: all,
    measure: 'load',
    sends: [mergeRequest],
    inFlight: 32,
    parts: ['floor', 'ours', 'stateless'],
    lines: [
      {
        metric: 'rate',
        goals: [...ofFloor(0.8, 0.7), { of: 'ours', over: 'peer', ratio: 5 }],
        profile: profiles.calls
      }
    ]
  },
  {
    name: 'mixed',
    title: 'mixed reads, 32 in flight',
    programs: all,
    measure: 'load',
    sends: [
      mergeRequest,
      call('list_merge_requests'),
      call('get_issue', { issue_iid: '1' }),
      call('list_issues'),
      call('get_project'),
      call('list_pipelines'),
      call('get_repository_tree')
    ],
    inFlight: 32,
    lines: [{ metric: 'rate', goals: [{ of: 'ours', over: 'floor', ratio: 0.85 }], profile: profiles.calls }]
  },
  {
    name: 'sid-only',
    title: '`get_merge_request` by a sealed session id alone',
    programs: { floor: 'floor', stateless: 'stateless, by id alone', peer: 'peer, by id alone' },
    measure: 'load',
    sends: [mergeRequest],
    inFlight: 32,
    parts: ['stateless'],
    lines: [
      { metric: 'rate', goals: [{ of: 'stateless', over: 'floor', ratio: 0.7 }], profile: profiles.calls }
    ]
  },
  {
    name: 'sessions',
    title: 'new sessions, 32 in flight',
    programs: all,
    measure: 'load',
    sends: [initialize],
    inFlight: 32,
    parts: ['floor', 'ours', 'stateless'],
    lines: [{ metric: 'rate', goals: ofFloor(0.8), profile: profiles.calls }]
  },
  {
    name: 'waiting',
    title: '1,000 in flight at a forge that takes 200 ms',
    programs: all,
    measure: 'load',
    sends: [mergeRequest],
    inFlight: 1000,
    callers: 100,
    forgeDelay: 200,
    longer: 2,
    parts: ['floor', 'ours', 'stateless'],
    lines: [
      { metric: 'rate', goals: ofFloor(0.9), profile: profiles.waiting },
      { metric: 'p99', goals: ofFloor(1.3), profile: profiles.waiting }
    ]
  },
  {
    name: 'list',
    title: '`tools/list`, 8 in flight',
    programs: three,
    measure: 'load',
    sends: [{ method: 'tools/list', params: {} }],
    inFlight: 8,
    lines: [{ metric: 'rate', goals: [{ of: 'ours', over: 'floor', ratio: 1 }] }]
  },
  {
    name: 'log',
    title: 'a job log of 200 MB',
    programs: three,
    measure: 'load',
    sends: [log],
    inFlight: 1,
    lines: [{ metric: 'cpu', goals: [{ of: 'ours', over: 'floor', ratio: 2 }], profile: profiles.log }]
  },
  {
    name: 'beside-log',
    title: '`get_merge_request` beside such logs',
    programs: three,
    measure: 'neighbour',
    sends: [mergeRequest, log],
    inFlight: 40,
    lines: [{ metric: 'p99', goals: [{ of: 'ours', most: 20 }] }]
  },
  {
    name: 'beside-large',
    title: '`get_merge_request` beside records of 10 MB',
    programs: three,
    measure: 'neighbour',
    sends: [mergeRequest, call('list_issues', {}, 'acme/large')],
    inFlight: 40,
    lines: [{ metric: 'p99', goals: [{ of: 'ours', most: 20 }], profile: profiles.besideLarge }]
  },
  {
    name: 'start-cold',
    title: 'start to the first `initialize`',
    programs: all,
    ...start,
    lines: [
      { metric: 'wall', goals: ofStart, profile: profiles.start },
      { metric: 'cpu', goals: ofStart, profile: profiles.start }
    ]
  },
  {
    name: 'start-warm',
    title: 'the same with a filled compile cache',
    programs: all,
    ...start,
    warmCache: true,
    lines: [
      { metric: 'wall', goals: ofStart, profile: profiles.start },
      { metric: 'cpu', goals: ofStart, profile: profiles.start }
    ]
  },
  {
    name: 'start-everything',
    title: 'the same with all toolsets',
    programs: { floor: 'floor', ours: 'everything' },
    ...start,
    warmCache: true,
    lines: [{ metric: 'cpu', goals: ofStart, profile: profiles.start }]
  },
  {
    name: 'start-version',
    title: '`--version`, beside `node -e 0`',
    programs: { floor: 'an empty program', ours: '--version' },
    measure: 'exit',
    lines: [{ metric: 'wall', goals: ofStart, profile: profiles.version }]
  },
  {
    name: 'idle',
    title: 'memory of an idle session',
    programs: { ours: 'idle sessions' },
    measure: 'memory',
    lines: [{ metric: 'bytes', goals: [{ of: 'ours', most: 1024 }], profile: profiles.idle }]
  },
  {
    name: 'replicas',
    title: '`get_merge_request`, 64 in flight',
    programs: { '1 replica': 'one replica', '2 replicas': 'two replicas', '4 replicas': 'four replicas' },
    measure: 'load',
    sends: [mergeRequest],
    inFlight: 64,
    lines: [
      { metric: 'rate', goals: [] },
      { metric: 'p99', goals: [] }
    ]
  }
]
