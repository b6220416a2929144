import { project } from '../src/prompts/arguments.ts'
import { prompt } from '../src/prompts/row.ts'

export const onboardToProject = prompt({
  name: 'onboard_to_project',
  title: 'Get to know a project',
  description:
    'Explains a project to somebody new: what it is for, how it is built, how changes get in, where to begin.',
  arguments: {
    project_id: project('Full path of the project, such as group/project, or its id', { required: true })
  },
  needs: ['get_repository_tree', 'get_files'],
  ask: () => 'I am new to project {project_id}: make me able to work on it.',
  steps: () => [
    'Read what it is from `get_project`, with_languages.',
    'Look at its root with `get_repository_tree`, then read together with `get_files` those of its files that explain it: README, CONTRIBUTING, the manifest of its build, its CI configuration.',
    'Look into two or three directories that seem to be its heart, and read the beginning of their main files.',
    'See with `list_wiki_pages` whether a wiki tells more.',
    'See how changes get in from the last merged ones of `list_merge_requests` (state merged), and whether its pipelines pass from `list_pipelines`.',
    'See from `list_issues` (scope all) what is open, and which would be a good first one.',
    'Answer on one page: what it is for; how to build, run and test it, with the commands that its files give; a map of its directories; how a change gets in and who reviews; what is going on now; what to begin with. Say what you did not find.'
  ]
})
