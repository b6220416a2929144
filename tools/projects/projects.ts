import { Type } from 'typebox'
import { pieceOfList } from '../../src/engine/arguments/meant-lists.ts'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { idOfPath } from '../../src/engine/facts/id-of-path.ts'
import { furtherPart, shownPart } from '../../src/engine/requests/side-by-side.ts'
import { decodeNamespace, requestTo } from '../../src/engine/requests/template.ts'
import { atLeastOne, atMostOne, someChange } from '../../src/engine/rows/checks.ts'
import {
  flag,
  idOr,
  inert,
  names,
  noneIfEmpty,
  notAlone,
  oneOf,
  optional,
  orNone,
  ProjectId,
  replacing,
  secret,
  text,
  toldElsewhere
} from '../../src/engine/rows/fields.ts'
import { made } from '../../src/engine/rows/made-names.ts'
import { branch } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { explainFailure } from '../../src/results/failure.ts'
import { type Fields, fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted, wordsOf } from '../../src/results/visible.ts'
import { withRole } from '../families/people/roles.ts'
import { nameAlone } from './name-alone.ts'

const Visibility = optional(oneOf(['private', 'internal', 'public']))
const Feature = oneOf(['disabled', 'private', 'enabled'])
/**
 * Features that older forges switch by true or false: the word before `_enabled`, and the word before `_access_level`
 * that replaces it.
 */
const switched = {
  issues: 'issues',
  merge_requests: 'merge_requests',
  jobs: 'builds',
  builds: 'builds',
  wiki: 'wiki',
  snippets: 'snippets'
}
const asLevels = Object.fromEntries(
  Object.entries(switched).map(([old, now]) => [
    `${old}_enabled`,
    `${now}_access_level is "enabled", "private" or "disabled"`
  ])
)
const SameWords = optional(toldElsewhere(undefined, 'Likewise', Feature))
const Namespace = optional({
  ...idOr('Id or full path of a group; default your own'),
  namedIn: 'namespace'
})

/** The notice for imports and forks: the project exists at once, and its content arrives later. */
const stillFilling = (value: unknown): string | undefined => {
  const { import_status: status } = (value ?? {}) as Fields
  if (status === undefined || status === null || status === 'none' || status === 'finished') return undefined
  return `import_status is ${quoted(wordsOf(status).slice(0, 40))}: get_project says when it is finished, or why it failed.`
}

/**
 * The project with the caller's roles in words. If asked for, it includes the languages in percent, or the reason why
 * they could not be read.
 */
async function described(value: unknown, args: Arguments, { forge }: ToolContext): Promise<unknown> {
  const { permissions, ...project } = fieldsOf(value)
  const roles = Object.entries(fieldsOf(permissions)).map(([kind, access]) => [kind, withRole(access)])
  const languages =
    args.with_languages === true
      ? shownPart(
          await furtherPart(
            async () => (await forge.send(requestTo('GET /projects/{project_id}/languages', args))).value
          )
        )
      : undefined
  return { ...project, permissions: Object.fromEntries(roles), ...(languages !== undefined && { languages }) }
}

const readmeNeeded = ({ default_branch, initialize_with_readme }: Arguments): void => {
  if (default_branch !== undefined && initialize_with_readme !== true)
    throw new CallProblem("'default_branch' can only be given with initialize_with_readme=true.")
}

const inNamespace = nameAlone('the group goes in namespace')

async function newProject({ namespace, ...args }: Fields, context: ToolContext): Promise<Fields> {
  if (namespace === undefined) return args
  return { ...args, namespace_id: await idOfPath('namespace', { namespace }, context) }
}

/** The arguments of a fork as the forge takes them. It accepts a namespace's path as it is. */
function newFork({ namespace, ...args }: Fields): Fields {
  if (namespace === undefined) return args
  const given = String(namespace)
  return /^\d+$/.test(given)
    ? { ...args, namespace_id: Number(given) }
    : { ...args, namespace_path: decodeNamespace('namespace', given) }
}

const archiving = {
  true: 'POST /projects/{project_id}/archive',
  false: 'POST /projects/{project_id}/unarchive'
} as const

const changesMore = (args: Arguments): boolean =>
  Object.keys(args).some(
    name => args[name] !== undefined && !['project_id', 'archived', 'namespace'].includes(name)
  )

/**
 * The name of a topic. A forge creates a topic of any name, and callers write "none" and the like when they mean no
 * topic, and lists as texts.
 */
const topic = Type.String({
  pattern: `${notAlone('none|null|undefined')}(?!${pieceOfList})`,
  problem:
    'must name a topic, with no brackets or quotation marks around it: an empty list [] is for none, and more are given as ["rockets","space"]'
})
/** A forge splits each topic at commas (GitLab: CommaSeparatedToArray). */
const topics = (description?: string) => ({ ...names(description), items: topic })

/** The roles that a change needs, which the forge does not name. */
const roles = {
  403: 'Settings take the Maintainer role, archived the Owner role; or the token lacks the api scope.'
}

/** Archives the project by a separate request, after the other changes. An archived project cannot be changed. */
async function archivedToo(value: unknown, args: Arguments, { forge }: ToolContext): Promise<unknown> {
  if (args.archived === undefined || !changesMore(args)) return changed(value as Fields, args)
  try {
    const now = fieldsOf(value)
    // With a new path, the project is no longer found under its old name.
    const project_id = args.path === undefined ? args.project_id : (now.id ?? args.project_id)
    const place = requestTo(archiving[`${args.archived === true}`], { project_id })
    const { value: archived } = await forge.send({ ...place, body: {} })
    return changed({ ...now, ...fieldsOf(archived) }, args)
  } catch (error) {
    const why = explainFailure(error, true, roles)
    if (why === undefined) throw error
    throw new CallProblem(`The other changes are made; archived is not changed. ${why}`)
  }
}

/** The fields that identify the project, and the current values of the fields that were to be changed. */
function changed(project: Fields, args: Arguments): Fields {
  const names = ['id', 'path_with_namespace', 'web_url', ...Object.keys(args)]
  return Object.fromEntries(names.filter(name => name in project).map(name => [name, project[name]]))
}

export const projectRows: readonly ToolRow[] = [
  rest({
    name: 'get_project',
    class: 'read',
    beyond: 'shows',
    title: 'Project',
    summary: 'Get a project with its settings and your role.',
    input: Type.Object({
      project_id: ProjectId,
      with_languages: optional(flag('In percent')),
      statistics: optional(flag('Sizes and counts'))
    }),
    request: 'GET /projects/{project_id}',
    fixed: { license: true },
    local: ['with_languages'],
    shape: described,
    notice: stillFilling,
    record: 'project'
  }),
  rest({
    name: 'create_project',
    class: 'write',
    title: 'Create project',
    summary: 'Create a project: empty, with a README, of a template, or imported.',
    input: Type.Object({
      name: optional(made(text('Or path'))),
      path: optional(made(text('Last part of its address'))),
      namespace: Namespace,
      description: optional(inert(text())),
      visibility: Visibility,
      initialize_with_readme: optional(flag()),
      default_branch: optional(made(text())),
      topics: optional(made(topics())),
      template_name: optional(text('Built-in, such as rails')),
      import_url: optional(secret())
    }),
    check: [
      atLeastOne('name', 'path'),
      inNamespace,
      readmeNeeded,
      atMostOne('template_name', 'import_url'),
      atMostOne('template_name', 'initialize_with_readme')
    ],
    request: 'POST /projects',
    adapt: newProject,
    shape: described,
    notice: stillFilling,
    record: 'project',
    advice: {
      400: 'Change what the forge names: a name or path may be taken already.',
      403: 'Your role does not let you create projects there: choose another namespace, or ask an owner of it.',
      404: 'There is no such namespace, or you may not see it: list_groups gives yours.'
    }
  }),
  rest({
    name: 'fork_project',
    class: 'write',
    does: ['create_project'],
    beyond: 'makes',
    title: 'Fork project',
    summary: 'Fork a project into a group or your own namespace; the copy is filled later.',
    input: Type.Object({
      project_id: ProjectId,
      namespace: Namespace,
      name: optional(made(text())),
      path: optional(made(text())),
      description: optional(inert(text())),
      visibility: Visibility,
      branches: optional(text('The only branch to copy')),
      mr_default_target_self: optional(flag('Its MRs stay in it'))
    }),
    check: [inNamespace],
    request: 'POST /projects/{project_id}/fork',
    adapt: newFork,
    shape: described,
    notice: stillFilling,
    record: 'project',
    advice: {
      404: 'Check the project and the namespace: without one the copy is your own, and list_groups gives your groups.',
      409: 'There is a project of that name or path already: give another name and path.'
    }
  }),
  rest({
    name: 'update_project',
    class: 'write',
    doesWith: { remove_source_branch_after_merge: { true: 'delete_branch' } },
    title: 'Update project',
    summary:
      'Change settings, as a Maintainer. A new path breaks clones and links; visibility=public publishes the code.',
    input: Type.Object(
      {
        project_id: ProjectId,
        name: optional(noneIfEmpty(made(text()))),
        path: optional(noneIfEmpty(made(text()))),
        description: optional(inert(text())),
        default_branch: optional(branch()),
        topics: optional(made(replacing(topics('Replace all')))),
        visibility: Visibility,
        merge_method: optional(oneOf(['merge', 'rebase_merge', 'ff'])),
        squash_option: optional(oneOf(['never', 'always', 'default_on', 'default_off'])),
        only_allow_merge_if_pipeline_succeeds: optional(flag()),
        only_allow_merge_if_all_discussions_are_resolved: optional(flag()),
        remove_source_branch_after_merge: optional(flag()),
        issues_access_level: optional(Feature),
        merge_requests_access_level: SameWords,
        repository_access_level: SameWords,
        builds_access_level: SameWords,
        wiki_access_level: SameWords,
        snippets_access_level: SameWords,
        releases_access_level: SameWords,
        ci_config_path: optional(orNone(text())),
        archived: optional(flag('false: unarchive'))
      },
      { instead: asLevels }
    ),
    check: [someChange('project_id'), nameAlone('no tool moves a project to another group')],
    request: ['PUT /projects/{project_id}', archiving.true, archiving.false],
    choose: args =>
      args.archived === undefined || changesMore(args)
        ? 'PUT /projects/{project_id}'
        : archiving[`${args.archived === true}`],
    local: ['archived'],
    shape: archivedToo,
    advice: roles
  }),
  rest({
    name: 'star_project',
    class: 'write',
    beyond: 'shows',
    title: 'Star project',
    summary: 'Star a project.',
    input: Type.Object({ project_id: ProjectId, starred: optional(flag('false takes the star back')) }),
    request: ['POST /projects/{project_id}/star', 'POST /projects/{project_id}/unstar'],
    choose: ({ starred }) =>
      starred === false ? 'POST /projects/{project_id}/unstar' : 'POST /projects/{project_id}/star',
    local: ['starred'],
    already: { 304: 'GET /projects/{project_id}' },
    record: 'starred_project'
  })
]
