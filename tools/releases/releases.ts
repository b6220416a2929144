import { type Static, Type } from 'typebox'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { firstTwice } from '../../src/engine/first-twice.ts'
import { recordOf } from '../../src/engine/requests/record.ts'
import { atMostOne, someChange } from '../../src/engine/rows/checks.ts'
import {
  commitMessage,
  flag,
  forgeDefault,
  inert,
  mayBeDeleted,
  noneIfEmpty,
  oneOf,
  optional,
  orNone,
  Page,
  ProjectId,
  replacing,
  text,
  texts,
  toDelete,
  When
} from '../../src/engine/rows/fields.ts'
import { madeBeside } from '../../src/engine/rows/made-names.ts'
import { releaseTag, revision } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quotedName } from '../../src/results/visible.ts'
import { AssetPath, LinkName, LinkType, LinkUrl, noSuchRelease } from './links.ts'
import { withNotes } from './notes.ts'
import { tagIsThere, tagWasThere } from './tag-there.ts'

const release = { project_id: ProjectId, tag_name: releaseTag() }

/* Milestones are given by title or by id, never both. */
const titles = texts('Titles')
const ids = Type.Array({ ...Type.Integer(), problem: 'must be the number of one: milestones takes titles' })

const noSuchTag = 'There is no such tag: give ref to make it, or check the project.'

/** The time when it is or was released. */
const Planned = { ...When, description: 'Later than now: planned' }

const Link = Type.Object({
  name: LinkName,
  url: LinkUrl,
  direct_asset_path: optional(AssetPath),
  link_type: optional(LinkType)
})

/** Checks that links differ. Otherwise the forge refuses the release, but only after it has created the tag. */
const linksDiffer = ({ links }: Arguments): void => {
  const all = (links ?? []) as Static<typeof Link>[]
  for (const field of ['name', 'url', 'direct_asset_path'] as const) {
    const twice = firstTwice(all.map(link => link[field]).filter(value => value !== undefined))
    if (twice !== undefined)
      throw new CallProblem(`Two links have the ${field} ${quotedName(twice)}: each has its own.`)
  }
}

/** The latest release of a list by date, except those that are planned for later. */
const latest = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  const found = value.find(({ upcoming_release }) => upcoming_release !== true)
  if (found === undefined)
    throw new CallProblem(
      isEmptyList(value)
        ? 'This project has no release yet.'
        : 'No release of this project is out yet: list_releases has those planned.'
    )
  return found
}

const linksApart = 'create_release_link adds one to a release, delete_release_link takes one away'

export const releaseRows: readonly ToolRow[] = [
  rest({
    name: 'list_releases',
    class: 'read',
    title: 'Releases',
    summary: 'List releases, the newest first.',
    input: Type.Object({
      project_id: ProjectId,
      order_by: optional(forgeDefault('released_at', oneOf(['released_at', 'created_at']))),
      sort: optional(forgeDefault('desc', oneOf(['asc', 'desc']))),
      updated_after: optional(When),
      updated_before: optional(When),
      ...Page
    }),
    request: 'GET /projects/{project_id}/releases',
    record: 'release'
  }),
  rest({
    name: 'get_release',
    class: 'read',
    title: 'Release',
    summary: 'Get a release, the latest without tag_name.',
    input: Type.Object({ project_id: ProjectId, tag_name: optional(releaseTag()) }),
    request: ['GET /projects/{project_id}/releases/{.tag_name}', 'GET /projects/{project_id}/releases'],
    adapt: args => (args.tag_name === undefined ? { ...args, order_by: 'released_at', per_page: 20 } : args),
    shape: latest,
    record: 'release',
    advice: { 404: `${noSuchRelease} Without tag_name it is the latest.` }
  }),
  rest({
    name: 'create_release',
    class: 'write',
    doesWith: {
      ref: 'create_tag',
      links: 'create_release_link',
      generate_notes: { true: ['list_merge_requests', 'list_commits'] }
    },
    title: 'Create release',
    summary: 'Release a tag, which is made when ref is given.',
    input: Type.Object({
      ...release,
      tag_name: madeBeside({ ref: 'any' }, { ...releaseTag(), namedIn: 'taggable' }),
      name: optional(noneIfEmpty(text('The tag unless given'))),
      description: optional(inert(text())),
      generate_notes: optional(
        flag('Below description: lines of the merge requests since the last release, with number and author')
      ),
      ref: optional(revision('To make the tag of')),
      tag_message: optional(commitMessage('Makes the tag an annotated one')),
      milestones: optional(titles),
      milestone_ids: optional(ids),
      released_at: optional(Planned),
      links: optional(Type.Array(Link))
    }),
    check: [atMostOne('milestones', 'milestone_ids'), linksDiffer],
    request: 'POST /projects/{project_id}/releases',
    adapt: async ({ links, ...given }, context) => {
      const args = await withNotes(given, context)
      return links === undefined ? args : { ...args, assets: { links } }
    },
    local: ['notes_since'],
    // The caller has not seen the generated notes yet.
    shape: (value, { generate_notes: wanted }, _, { notes_since }) =>
      wanted === true
        ? { ...recordOf(value), notes_since, generated_notes: recordOf(value).description }
        : value,
    notice: tagWasThere,
    reason: tagIsThere,
    record: 'release',
    advice: {
      400: [
        [/^(?:400.*)?milestone/i, 'Nothing was made: list_milestones has the titles.'],
        [/could not find ref/i, noSuchTag]
      ],
      403: 'Releasing takes the Developer role, and a protected tag the right to make it.',
      404: noSuchTag,
      409: 'There is a release of this tag: change it with update_release.',
      422: 'Where there is no such tag give ref to make it; else change what the forge names.'
    }
  }),
  rest({
    name: 'update_release',
    class: 'write',
    title: 'Update release',
    summary: 'Change the texts, date or milestones of a release; [] as milestones removes them.',
    input: Type.Object(
      {
        ...release,
        name: optional(orNone(text())),
        description: optional(inert(text())),
        released_at: optional(Planned),
        milestones: optional(replacing(titles)),
        milestone_ids: optional(replacing(ids))
      },
      { instead: { links: linksApart, assets: linksApart } }
    ),
    check: [someChange('project_id', 'tag_name'), atMostOne('milestones', 'milestone_ids')],
    request: 'PUT /projects/{project_id}/releases/{.tag_name}',
    record: 'release',
    advice: { 404: noSuchRelease }
  }),
  rest({
    name: 'delete_release',
    class: 'destructive',
    title: 'Delete release',
    summary: 'Delete a release, as a Maintainer; its tag stays.',
    input: Type.Object({ project_id: ProjectId, tag_name: toDelete(releaseTag()) }),
    request: 'DELETE /projects/{project_id}/releases/{.tag_name}',
    done: 'The release is deleted; its tag stays.',
    advice: { 404: mayBeDeleted }
  })
]
