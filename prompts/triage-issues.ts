import { name, project } from '../src/prompts/arguments.ts'
import { prompt } from '../src/prompts/row.ts'

export const triageIssues = prompt({
  name: 'triage_issues',
  title: 'Triage issues',
  description: 'Sorts the open issues of a project: kind, weight, labels, duplicates, and what is missing.',
  arguments: {
    project_id: project('Full path of the project, such as group/project, or its id', { required: true }),
    label: name('Only issues with this label; without it those that have none come first')
  },
  needs: ['list_issues'],
  ask: ({ label }) =>
    `Triage the open issues of project {project_id}${label === undefined ? '' : ' that have the label {label}'}.`,
  steps: ({ label }) => [
    label === undefined
      ? 'List them with `list_issues`: state opened, scope all, labels ["None"]. When those are done, or there are none, go on with the newest of the others.'
      : 'List them with `list_issues`: state opened, scope all, labels [{label}].',
    'Learn from `list_labels` which labels there are, and propose no others.',
    'Read with `get_issue` what a title and the beginning of a text, which the list shows, do not tell, and the comments with `list_issue_discussions` where there are any. Stop after 30 issues, and say so.',
    'Look with `search` for issues that report the same, closed ones too, before you call one a duplicate.',
    'Answer with a table: issue, what it is (defect, wish, question), how bad and for whom, labels to set, what it duplicates, what its author still has to say.',
    [
      'Change nothing before I agree, then only what I agreed to: `update_issues` with add_labels, which leaves the others, for all at once; `create_issue_link` for duplicates; `create_issue_note` to ask an author.',
      'Change nothing before I agree, then only what I agreed to: `update_issues` with add_labels, which leaves the others, for all at once.',
      'Change nothing.'
    ]
  ]
})
