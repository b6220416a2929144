import type { Files, Job, JobPlan, Project, TestCase } from '../types.ts'
import { failing, flakyTests, passing } from './logs.ts'

// A 1×1 PNG: an artifact that is not text.
const PIXEL =
  'base64:iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const REPORTS = {
  'reports/junit.xml':
    '<?xml version="1.0"?>\n<testsuite name="engine" tests="3" failures="1">\n  <testcase name="the gauge shows percent"><failure>3 !== 25</failure></testcase>\n</testsuite>\n',
  'reports/coverage/index.html': '<!doctype html>\n<title>Coverage</title>\n<p>87.5 %</p>\n',
  'reports/coverage/badge.png': PIXEL,
  'reports/summary.txt': 'tests 3\npass 2\nfail 1\n'
}

const PACKAGE: Record<string, string> = {
  'dist/rocket.js': 'export * from "./engine.js"\n',
  'dist/engine.js': 'export const BURN_RATE = 12\n',
  'dist/MANIFEST.json': '{"version":"1.5.0-dev"}\n',
  // More entries than one page of the tree holds.
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => {
      const part = String(index + 1).padStart(2, '0')
      return [`dist/parts/part-${part}.bin`, `part ${part}\n`]
    })
  )
}

const testCase = (name: string, status: TestCase['status'], output: unknown = null): TestCase => ({
  name,
  classname: 'engine',
  file: 'test/engine.test.ts',
  status,
  seconds: 0.02,
  output
})

/** Three tests, one of which fails if the job fails. */
const engineTests = ({ status }: Job): TestCase[] => [
  testCase('burning uses fuel', 'success'),
  testCase('refuelling fills the tank', 'success'),
  status === 'failed'
    ? testCase('the gauge shows percent', 'failed', { message: '3 !== 25', type: 'AssertionError' })
    : testCase('the gauge shows percent', 'success')
]

/**
 * The fuel that is left after the engine burns for five seconds, and the amount that its test expects, if the files say
 * so.
 */
function burnOf(files: Files): { left: number; expected: number } | undefined {
  const rate = /BURN_RATE = (\d+)/.exec(files['src/engine.ts'] ?? '')?.[1]
  const expected = /level: 100 \}, 5\)\.level, (\d+)\)/.exec(files['test/engine.test.ts'] ?? '')?.[1]
  return rate === undefined || expected === undefined
    ? undefined
    : { left: 100 - 5 * Number(rate), expected: Number(expected) }
}

/** The outcome of the only test that looks at the branch's code. */
const judgeBurn = (files: Files): 'success' | 'failed' => {
  const burn = burnOf(files)
  return burn !== undefined && burn.left !== burn.expected ? 'failed' : 'success'
}

const wrongBurn = ({ pipeline }: Job): string => {
  const burn = burnOf(pipeline.project.commits.get(pipeline.sha)?.files ?? {})
  return `${burn?.left} !== ${burn?.expected}`
}

const burnTests = (job: Job): TestCase[] => [
  job.status === 'failed'
    ? testCase('burning uses fuel', 'failed', { message: wrongBurn(job), type: 'AssertionError' })
    : testCase('burning uses fuel', 'success'),
  testCase('refuelling fills the tank', 'success')
]

const burnLog = (job: Job): string =>
  job.status === 'failed'
    ? failing(
        job,
        ['ok 1 - refuelling fills the tank'],
        [
          'not ok 2 - burning uses fuel',
          '  ---',
          '  error: |-',
          '    Expected values to be strictly equal:',
          '    ',
          `    ${wrongBurn(job)}`,
          '    ',
          "  code: 'ERR_ASSERTION'",
          '  ...'
        ]
      )
    : passing('npm test', [
        'TAP version 13',
        'ok 1 - burning uses fuel',
        'ok 2 - refuelling fills the tank',
        '1..2'
      ])(job)

const compile: JobPlan = {
  name: 'compile',
  stage: 'build',
  seconds: 2,
  outcomes: ['success'],
  trace: passing('npm run build', ['> rocket@1.5.0-dev build', '> tsc -p .']),
  tags: ['docker']
}
const lint: JobPlan = { name: 'lint', stage: 'test', seconds: 1, outcomes: ['success'], allowFailure: true }
const unitTests: JobPlan = {
  name: 'unit-tests',
  stage: 'test',
  seconds: 3,
  outcomes: ['success'],
  judge: judgeBurn,
  trace: burnLog,
  artifacts: REPORTS,
  tests: burnTests,
  tags: ['docker']
}
const pack: JobPlan = {
  name: 'package',
  stage: 'package',
  seconds: 2,
  outcomes: ['success'],
  trace: passing('npm run package', ['dist/ written']),
  artifacts: PACKAGE
}
const staging: JobPlan = {
  name: 'deploy-staging',
  stage: 'deploy',
  seconds: 2,
  outcomes: ['success'],
  environment: 'staging',
  trace: passing('./deploy.sh staging', ['staging.acme.example is up'])
}
const production: JobPlan = {
  name: 'deploy-production',
  stage: 'deploy',
  seconds: 2,
  outcomes: ['success'],
  manual: true,
  environment: 'production',
  trace: passing('./deploy.sh production', ['rocket.acme.example is up'])
}

/** The jobs of a branch pipeline of acme/rocket. */
export const BRANCH_PLANS: JobPlan[] = [compile, lint, unitTests, pack]

/** The jobs of the pipeline whose unit tests fail once and pass when retried. */
export const FAILING_PLANS: JobPlan[] = [
  compile,
  { ...lint, outcomes: ['failed'] },
  { ...unitTests, outcomes: ['failed', 'success'], judge: undefined, trace: flakyTests, tests: engineTests },
  pack
]

/** The jobs of a branch pipeline with a manual review deployment. */
export const REVIEW_PLANS: JobPlan[] = [
  ...BRANCH_PLANS,
  { ...production, name: 'deploy-review', environment: 'review/launch-checklist' }
]

/** The jobs of main: with deployments, and a trigger job for the website. */
export const mainPlans = (website: Project): JobPlan[] => [
  ...BRANCH_PLANS,
  staging,
  production,
  { name: 'website-preview', stage: 'deploy', seconds: 2, outcomes: ['success'], trigger: website }
]

/** The jobs of a pipeline that is still running when the sandbox starts, and for ten minutes more. */
export const LONG_PLANS: JobPlan[] = [
  compile,
  { name: 'load-test', stage: 'test', seconds: 600, outcomes: ['success'] },
  pack
]

export const WEBSITE_PLANS: JobPlan[] = [
  {
    name: 'pages',
    stage: 'deploy',
    seconds: 1,
    outcomes: ['success'],
    artifacts: { 'public/index.html': '<h1>Acme</h1>\n' }
  }
]
