import { type Given, iid, name, project } from '../src/prompts/arguments.ts'
import { prompt } from '../src/prompts/row.ts'

type Of = Given<'merge_request_iid' | 'ref'>

const whose = ({ merge_request_iid, ref }: Of): string => {
  if (merge_request_iid !== undefined) return 'the pipeline of merge request !{merge_request_iid}'
  return ref === undefined ? 'the latest pipeline of the default branch' : 'the latest pipeline of {ref}'
}

const diagnosis = ({ merge_request_iid, ref }: Of): string | readonly string[] => {
  if (merge_request_iid !== undefined)
    return 'Call `diagnose_pipeline` with merge_request_iid {merge_request_iid}.'
  if (ref !== undefined) return 'Call `diagnose_pipeline` with ref {ref}.'
  return [
    'Learn the default branch from `get_project`, and call `diagnose_pipeline` with it as ref.',
    'Call `diagnose_pipeline` with the default branch as ref; ask me for its name if main is not it.'
  ]
}

export const fixFailedPipeline = prompt({
  name: 'fix_failed_pipeline',
  title: 'Fix a failed pipeline',
  description: 'Finds out why a pipeline failed, and proposes the smallest change that mends it.',
  arguments: {
    project_id: project('Full path of the project, such as group/project, or its id', { required: true }),
    merge_request_iid: iid('Number of the merge request whose pipeline it is'),
    ref: name('Or a branch; without either the default branch')
  },
  needs: ['diagnose_pipeline'],
  check: ({ merge_request_iid, ref }) =>
    merge_request_iid !== undefined && ref !== undefined
      ? 'Give merge_request_iid or ref, not both.'
      : undefined,
  ask: given => `Find out why ${whose(given)} in project {project_id} failed, and how to mend it.`,
  steps: given => [
    diagnosis(given),
    'Where the part of a log that is shown does not say why, read more of it with `get_pipeline_job_output`.',
    'Read what changed since the last success with `get_commit_diff`, and the code that failed with `get_file_contents`.',
    [
      'Tell the kinds apart: a defect of the change, a defect of a test, a wrong CI configuration (`lint_ci` checks one), or trouble of the runner or the network. Only the last is mended by `retry_pipeline_job`, and only when I agree.',
      'Tell the kinds apart: a defect of the change, a defect of a test, a wrong CI configuration, or trouble of the runner or the network, which alone a retry mends.'
    ],
    'Answer with the cause in two sentences, the line of the log that shows it, and the smallest change that mends it as a diff. Where you are not sure, say what would make you so.',
    [
      'When I agree, commit that change with `commit_files` to the branch of the pipeline, and see with `wait_for_pipeline`, given that branch as ref, how the next one goes.',
      'When I agree, commit that change with `commit_files` to the branch of the pipeline.',
      'Change nothing yourself.'
    ]
  ]
})
