import type { Job } from '../types.ts'

const GREEN = '\u001b[32;1m'
const RED = '\u001b[31;1m'
const BLUE = '\u001b[36;1m'
const RESET = '\u001b[0;m'
const CLEAR = '\u001b[0K'

/** A section as the runner marks it: collapsible in the browser, noise in plain text. */
const section = (name: string, title: string, rows: string[]) => [
  `section_start:1763640000:${name}\r${CLEAR}${CLEAR}${BLUE}${title}${RESET}`,
  ...rows,
  `section_end:1763640007:${name}\r${CLEAR}`
]

const prelude = (job: Job) => [
  `${CLEAR}Running with gitlab-runner 18.9.0 (6e766faf)${RESET}`,
  `${CLEAR}  on shared-runner-4.acme.example xS6Vzpvo, system ID: s_6b1e4f06fcfd${RESET}`,
  ...section('prepare_executor', 'Preparing the "docker" executor', [
    `${CLEAR}Using Docker executor with image node:24-alpine ...${RESET}`,
    `${CLEAR}Using docker image sha256:7aaba6b13a55a1d78411a1162c1994428ed039c6bbef7b1d9859c25ada1d7cc5 for node:24-alpine ...${RESET}`
  ]),
  ...section('get_sources', 'Getting source from Git repository', [
    `${GREEN}Fetching changes with git depth set to 20...${RESET}`,
    `${GREEN}Checking out ${job.pipeline.sha.slice(0, 8)} as detached HEAD (ref is ${job.pipeline.ref})...${RESET}`,
    'Receiving objects:  41% (9/22)\rReceiving objects: 100% (22/22), 6.31 KiB | 6.31 MiB/s, done.'
  ])
]

const INSTALL = [
  `${GREEN}$ npm ci${RESET}`,
  '',
  'added 214 packages, and audited 215 packages in 3s',
  'found 0 vulnerabilities'
]

const PASSED = ['ok 1 - burning uses fuel', 'ok 2 - refuelling fills the tank']

const FAILURE = [
  'not ok 3 - the gauge shows percent',
  '  ---',
  '  duration_ms: 1.4421',
  "  location: '/builds/acme/rocket/test/engine.test.ts:13:1'",
  "  failureType: 'testCodeFailure'",
  '  error: |-',
  '    Expected values to be strictly equal:',
  '    ',
  '    3 !== 25',
  '    ',
  "  code: 'ERR_ASSERTION'",
  "  name: 'AssertionError'",
  '  expected: 25',
  '  actual: 3',
  "  operator: 'strictEqual'",
  '  stack: |-',
  '    TestContext.<anonymous> (file:///builds/acme/rocket/test/engine.test.ts:14:10)',
  '  ...'
]

const ending = (tests: number, failed: number) => [
  `1..${tests}`,
  `# tests ${tests}`,
  `# pass ${tests - failed}`,
  `# fail ${failed}`,
  '# duration_ms 118.39'
]

/** The log of a job that fails: sections, colours, a progress line, a broken assertion. */
export const failing = (job: Job, passed: string[], failure: string[]): string =>
  [
    ...prelude(job),
    ...section('step_script', 'Executing "step_script" stage of the job script', [
      ...INSTALL,
      `${GREEN}$ npm test${RESET}`,
      'TAP version 13',
      ...passed,
      ...failure,
      ...ending(passed.length + 1, 1)
    ]),
    ...section('upload_artifacts_on_failure', 'Uploading artifacts for failed job', [
      `${GREEN}Uploading artifacts...${RESET}`,
      'reports/: found 4 matching artifact files and directories'
    ]),
    ...section('cleanup_file_variables', 'Cleaning up project directory and file based variables', []),
    `${RED}ERROR: Job failed: exit code 1${RESET}`,
    ''
  ].join('\n')

/** The log of a job that succeeds. */
export const passing =
  (script: string, output: string[]) =>
  (job: Job): string =>
    [
      ...prelude(job),
      ...section('step_script', 'Executing "step_script" stage of the job script', [
        ...INSTALL,
        `${GREEN}$ ${script}${RESET}`,
        ...job.variables.map(({ key, value }) => `${key}=${value}`),
        ...output
      ]),
      `${GREEN}Job succeeded${RESET}`,
      ''
    ].join('\n')

/** The log of the job that fails in the sample. */
const failingTests = (job: Job): string => failing(job, PASSED, FAILURE)

/** The log of tests that fail in the first attempt and pass in the retry. */
export const flakyTests = (job: Job): string =>
  job.attempt === 0
    ? failingTests(job)
    : passing('npm test', ['TAP version 13', ...PASSED, 'ok 3 - the gauge shows percent', ...ending(3, 0)])(
        job
      )
