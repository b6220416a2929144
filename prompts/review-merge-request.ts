import { iid, project, words } from '../src/prompts/arguments.ts'
import { prompt } from '../src/prompts/row.ts'

export const reviewMergeRequest = prompt({
  name: 'review_merge_request',
  title: 'Review a merge request',
  description:
    'Reviews a merge request against its code, and writes the findings as draft notes when you agree.',
  arguments: {
    project_id: project('Full path of the project, such as group/project, or its id', { required: true }),
    merge_request_iid: iid('Number of the merge request', { required: true }),
    focus: words('What matters most to you, such as security or the tests')
  },
  needs: ['review_merge_request'],
  ask: ({ focus }) =>
    `Review merge request !{merge_request_iid} of project {project_id}.${focus === undefined ? '' : ' What matters most to me: {focus}'}`,
  steps: () => [
    [
      'Read it with `review_merge_request`. What its left_out names, read with `get_merge_request_file_diff` where it matters.',
      'Read it with `review_merge_request`.'
    ],
    'Where a diff does not tell enough, read the code around it with `get_file_contents`, ref being the sha of the merge request.',
    'Where a job failed, find out with `diagnose_pipeline` whether this change is why.',
    'Judge whether it does what its description says, what it breaks, what is not tested, and whether it is safe. Leave out matters of taste, what an unresolved thread says already, and what you have not seen in the code.',
    'Answer with a verdict in one sentence, then the findings, the worst first: path and line, what goes wrong and when, how to put it right.',
    [
      'Ask me which findings to post, and post those with `submit_review`, giving the path and line of each, a summary, and the verdict that I choose.',
      'Ask me which findings to post. Write those with `create_draft_note`, giving path and line, and publish them with `bulk_publish_draft_notes` once I have said so.',
      'Ask me which findings to post, and post those with `create_merge_request_thread`.',
      'Post nothing.'
    ]
  ]
})
