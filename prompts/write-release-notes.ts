import { name, project } from '../src/prompts/arguments.ts'
import { prompt } from '../src/prompts/row.ts'

const end = (to: string | undefined): string => (to === undefined ? 'the default branch' : '{to}')

/**
 * The instruction for finding the previous release. The newest of all may be on another line: a patch of an older
 * version, or a later version.
 */
const before = (to: string | undefined): string =>
  `Find the release before: the newest other one of \`list_releases\` whose tag is in ${end(to)}, as it is where \`list_commits\` with ref ${end(to)}..TAG lists nothing.`

export const writeReleaseNotes = prompt({
  name: 'write_release_notes',
  title: 'Write release notes',
  description:
    'Writes what changed between two versions for those who use the project, and publishes it when you agree.',
  arguments: {
    project_id: project('Full path of the project, such as group/project, or its id', { required: true }),
    from: name('Tag or commit of the version before; the last release of that line unless given', {
      completedBy: 'tag'
    }),
    to: name('Tag or branch to be released; the default branch unless given', { completedBy: 'ref' })
  },
  needs: ['list_merge_requests'],
  ask: ({ from, to }) =>
    `Write the release notes of project {project_id} for what changed since ${from === undefined ? 'its last release' : '{from}'}, up to ${to === undefined ? 'its default branch' : '{to}'}.`,
  steps: ({ from, to }) => [
    ...(from === undefined
      ? [
          [
            `${before(to)} Where there is none, look for such a tag with \`list_tags\`.`,
            before(to),
            'Find the last release of that line with `list_releases`, and ask me where its line is not clear.',
            'Ask me which version came before, and when.'
          ]
        ]
      : []),
    `List the commits in between with \`list_commits\`, ref being ${from === undefined ? 'that tag' : '{from}'}..${end(to)}, through all pages.`,
    'List the merge requests behind them with `list_merge_requests`: state merged, updated_after the date of the version before. Leave out those whose commits are not in between.',
    'Where a title does not tell what changes for a user, read the merge request with `get_merge_request`.',
    'Write Markdown for those who use the project: what breaks and what to do about it, what is new, what is fixed, what is safer. One line a change with its !number; nothing that users do not notice, and nothing that you have not read.',
    [
      'Show me the text. When I agree, publish it with `create_release`, or with `update_release` where that tag has a release. If I want no more than a list of the merge requests, generate_notes of `create_release` writes it, since the last release of the same line.',
      'Show me the text, and publish nothing.'
    ]
  ]
})
