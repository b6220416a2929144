import { Type } from 'typebox'
import type { Arguments, Check } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { furtherPart } from '../../src/engine/requests/side-by-side.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { notWith } from '../../src/engine/rows/checks.ts'
import {
  Confirm,
  flag,
  oneOf,
  optional,
  Page,
  ProjectId,
  ProjectOrGroup,
  text
} from '../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { nextPageOf } from '../../src/results/next-page.ts'
import { CallProblem } from '../../src/results/problem.ts'

const one = '/projects/{project_id}/packages/{package_id}'
const onePackage = { project_id: ProjectId, package_id: text() }

const projectPathOfGroup: Check = ({ order_by: order, project_id: project }) => {
  if (order === 'project_path' && project !== undefined)
    throw new CallProblem("order_by 'project_path' goes with group_id.")
}

/** How many files of a package are shown: one page. */
const MAX_FILES = 100

/** Adds the files of a package, for which the forge has a separate route, or the reason why they are not shown. */
async function withFiles(found: unknown, args: Arguments, { forge }: ToolContext): Promise<unknown> {
  const place = requestTo(`GET ${one}/package_files`, args, `per_page=${MAX_FILES}`)
  const { value: answer, problem } = await furtherPart(() => forge.send(place))
  if (answer === undefined) return { ...fieldsOf(found), left_out: `files: ${problem}` }
  const { value, headers } = answer
  const files = Array.isArray(value) ? value : []
  const isCut = files.length > MAX_FILES || nextPageOf(headers) !== undefined
  return {
    ...fieldsOf(found),
    files: files.slice(0, MAX_FILES),
    left_out: isCut ? `files after the first ${MAX_FILES}` : undefined
  }
}

export const packageRows: readonly ToolRow[] = [
  rest({
    name: 'list_packages',
    class: 'read',
    beyond: 'shows',
    title: 'Packages',
    summary: 'List or search packages of the registry.',
    input: Type.Object({
      ...ProjectOrGroup,
      package_type: optional({
        ...oneOf([
          'conan',
          'maven',
          'npm',
          'pypi',
          'composer',
          'nuget',
          'helm',
          'terraform_module',
          'golang',
          'debian',
          'generic',
          'ml_model',
          'rpm',
          'cargo'
        ]),
        problem: '; list_registry_repositories lists container images'
      }),
      package_name: optional(text('Part of it')),
      package_version: optional(text('Exact; with project_id')),
      status: optional(oneOf(['default', 'hidden', 'processing', 'error', 'pending_destruction'])),
      include_versionless: optional(flag('Those without a version, too')),
      exclude_subgroups: optional(flag()),
      order_by: optional(oneOf(['created_at', 'name', 'version', 'type', 'project_path'])),
      sort: optional(oneOf(['asc', 'desc'], undefined, 'desc')),
      ...Page
    }),
    check: [
      notWith('package_version', 'group_id'),
      notWith('exclude_subgroups', 'project_id'),
      projectPathOfGroup
    ],
    request: 'GET {PG}/packages',
    record: 'package'
  }),
  rest({
    name: 'get_package',
    class: 'read',
    beyond: 'shows',
    title: 'Package',
    summary: 'Get a package with its files.',
    input: Type.Object(onePackage),
    request: `GET ${one}`,
    shape: withFiles,
    record: 'package'
  }),
  rest({
    name: 'delete_package',
    class: 'destructive',
    title: 'Delete package',
    summary: 'Delete this version with all its files, for good.',
    input: Type.Object({ ...onePackage, confirm: Confirm('name') }),
    confirm: { read: `GET ${one}`, field: 'name', noun: 'package', beside: 'version' },
    request: `DELETE ${one}`,
    local: ['confirm'],
    done: 'The package is deleted.',
    advice: { 403: 'It takes the Maintainer role, and a package that is not protected.' }
  })
]
