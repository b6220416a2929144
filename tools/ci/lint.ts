import { Type } from 'typebox'
import { flag, optional, ProjectId, revision, unlisted } from '../../src/catalog/fields.ts'
import { custom, type ToolRow } from '../../src/catalog/row.ts'
import { type Arguments, notWith } from '../../src/engine/checks.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { inPieces } from '../../src/engine/files/in-pieces.ts'
import { newlinesIn } from '../../src/engine/files/line-window.ts'
import { planner } from '../../src/engine/plan.ts'
import { CallProblem } from '../../src/results/problem.ts'
import type { ToolOutput } from '../../src/results/result.ts'

const local = ['include_merged_yaml']
const planContent = planner({ request: 'POST /projects/{project_id}/ci/lint', local })
const planFile = planner({
  request: 'GET /projects/{project_id}/ci/lint',
  rename: { ref: 'content_ref' },
  local
})

/** Its two routes are two verbs, though nothing is written by either. */
export const lintRow: ToolRow = custom({
  name: 'lint_ci',
  class: 'read',
  title: 'Check CI configuration',
  summary: 'Check content, or the .gitlab-ci.yml of a ref.',
  input: Type.Object({
    project_id: ProjectId,
    content: optional(Type.String({ maxLength: 1_048_576, description: 'YAML' })),
    ref: optional(revision('Of the file, or the rules')),
    dry_run: optional(flag('Simulate a pipeline')),
    dry_run_ref: optional(unlisted(revision('Without content'))),
    include_jobs: optional(unlisted(flag())),
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

async function lint(args: Arguments, { forge, maxChars }: ToolContext): Promise<ToolOutput> {
  const plan = args.content === undefined ? planFile : planContent
  const { value } = await forge.send(plan(args, args))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CallProblem('The forge answered with something that is not the outcome of a check.')
  const { merged_yaml: yaml, ...result } = value as Record<string, unknown>
  // Often hundreds of kilobytes, and always sent.
  if (args.include_merged_yaml !== true || typeof yaml !== 'string') return { value: result }
  const { shown, window } = await headOf(yaml, Math.floor(maxChars / 2))
  return {
    value: { ...result, merged_yaml: shown },
    notices: window === undefined ? [] : [JSON.stringify({ window }), 'The rest of merged_yaml is not shown.']
  }
}

/** As many whole lines as there is room for. */
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
