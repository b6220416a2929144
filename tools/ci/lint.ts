import { Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { fullPathOf } from '../../src/engine/facts/full-path.ts'
import { inPieces } from '../../src/engine/files/in-pieces.ts'
import { planner } from '../../src/engine/requests/plan.ts'
import { notWith } from '../../src/engine/rows/checks.ts'
import { flag, optional, ProjectId } from '../../src/engine/rows/fields.ts'
import { revision } from '../../src/engine/rows/revisions.ts'
import { custom, type ToolRow } from '../../src/engine/rows/row.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { newlinesIn } from '../../src/results/newlines.ts'
import { CallProblem } from '../../src/results/problem.ts'
import type { ToolOutput } from '../../src/results/result.ts'

const local = ['include_merged_yaml']
const planContent = planner({ request: 'POST /projects/{project_id}/ci/lint', local })
const planFile = planner({
  request: 'GET /projects/{project_id}/ci/lint',
  rename: { ref: 'content_ref' },
  local
})

/** Fields of a job that contain what the configuration's files say. They are shown if all fields are. */
const scripts = ['before_script', 'script', 'after_script']

/** One tool for two routes with different methods. Neither route changes anything. */
export const lintRow: ToolRow = custom({
  name: 'lint_ci',
  class: 'read',
  doesWith: { include_merged_yaml: { true: 'get_file_contents' } },
  shows: Object.fromEntries(scripts.map(script => [`jobs.${script}`, 'get_file_contents'])),
  title: 'Check CI configuration',
  summary: 'Check content, or the .gitlab-ci.yml of a ref.',
  input: Type.Object({
    project_id: ProjectId,
    content: optional({
      ...Type.String({ maxLength: 1_048_576, description: 'YAML' }),
      without: 'the file of the repository was checked'
    }),
    ref: optional(revision('Of the file, or the rules')),
    dry_run: optional(flag('Simulate a pipeline')),
    dry_run_ref: optional(revision('Without content')),
    include_jobs: optional(flag()),
    include_merged_yaml: optional(flag('Also with includes; long'))
  }),
  check: [notWith('content', 'dry_run_ref')],
  idempotent: true,
  record: 'lint_result',
  advice: {
    403: 'With content it takes the right to create pipelines (Developer), without it to read code.',
    404: 'Check the project and the ref; a repository without commits has no configuration.'
  },
  run: lint
})

async function lint(args: Arguments, context: ToolContext): Promise<ToolOutput> {
  const { forge, maxChars } = context
  const plan = args.content === undefined ? planFile : planContent
  const { value } = await forge.send(plan(args, args))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CallProblem('The forge answered with something that is not the outcome of a check.')
  const { merged_yaml: yaml, ...all } = value as Record<string, unknown>
  const { result, notices } = await served(all, args, context)
  // The merged YAML is often hundreds of kilobytes, and the forge always sends it.
  if (args.include_merged_yaml !== true || typeof yaml !== 'string') return { value: result, notices }
  const { shown, window } = await headOf(yaml, Math.floor(maxChars / 2))
  const rest =
    window === undefined ? [] : [JSON.stringify({ window }), 'The rest of merged_yaml is not shown.']
  return { value: { ...result, merged_yaml: shown }, notices: [...notices, ...rest] }
}

/** The result without includes that involve a project which is not served here. */
async function served(result: Record<string, unknown>, args: Arguments, context: ToolContext) {
  const { includes } = result
  const isServed = (path: string) => context.serves(path)
  if (!Array.isArray(includes) || includes.every(one => projectsOf(one).every(isServed)))
    return { result, notices: [] }
  // The call may give its own project by number, so its path is looked up.
  const own = await fullPathOf({ project_id: String(args.project_id) }, context)
  const kept = includes.filter(one => projectsOf(one).every(path => path === own || isServed(path)))
  const left = includes.length - kept.length
  const notice = `Left out, as they are of projects that are not served here: ${left} includes.`
  return { result: { ...result, includes: kept }, notices: left === 0 ? [] : [notice] }
}

/** The project of the file with the include, and the project of the included file. */
function projectsOf(include: unknown): string[] {
  const { context_project: by, extra } = fieldsOf(include)
  return [by, fieldsOf(extra).project].filter(path => typeof path === 'string')
}

/** The first complete lines of the YAML that fit. */
async function headOf(yaml: string, maxChars: number) {
  if (yaml.length <= maxChars) return { shown: yaml, window: undefined }
  const shown = yaml.slice(0, yaml.lastIndexOf('\n', maxChars) + 1)
  return {
    shown,
    window: { start_line: 1, end_line: await linesIn(shown), total_lines: await linesIn(yaml) }
  }
}

async function linesIn(text: string): Promise<number> {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for await (const piece of inPieces(text)) lines += newlinesIn(piece)
  return lines
}
