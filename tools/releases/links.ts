import { Type } from 'typebox'
import {
  Confirm,
  filled,
  forgeDefault,
  oneOf,
  optional,
  ProjectId,
  text
} from '../../src/engine/rows/fields.ts'
import { releaseTag } from '../../src/engine/rows/revisions.ts'
import { rest, type ToolRow } from '../../src/engine/rows/row.ts'

export const LinkType = forgeDefault('other', oneOf(['other', 'runbook', 'image', 'package']))
export const LinkName = { ...text(), ...filled }
export const noSuchRelease = 'There is no release of that tag, or you may not see it: see list_releases.'
/**
 * The path as a forge accepts it (GitLab: Releases::Link). For any other, the forge only says that the format is
 * invalid.
 */
export const AssetPath = Type.String({
  pattern: '^/[^/](?!.*//)[-.\\w/]+[0-9A-Za-z]$',
  maxLength: 128,
  problem:
    'must begin with a slash, such as /bin/app, have three or more letters, digits, -, _, . and single slashes after it, and end with a letter or digit',
  neverEmpty: true,
  description: 'Path in the release, such as /bin/app'
})
/** The same for the URL. The schemes are those that the forge accepts. */
export const LinkUrl = Type.String({
  pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp])://[^\\s/]\\S*$',
  problem: 'must be a whole address without blanks that begins with https://, http:// or ftp://'
})

const release = { project_id: ProjectId, tag_name: releaseTag() }

export const linkRows: readonly ToolRow[] = [
  rest({
    name: 'create_release_link',
    class: 'write',
    title: 'Add release link',
    summary: 'Add a link to a release.',
    input: Type.Object({
      ...release,
      name: LinkName,
      url: LinkUrl,
      direct_asset_path: optional(AssetPath),
      link_type: optional(LinkType)
    }),
    request: 'POST /projects/{project_id}/releases/{.tag_name}/assets/links',
    record: 'release_link',
    advice: {
      404: noSuchRelease,
      400: [[/taken/, 'A release has each name, url and direct_asset_path of a link once.']]
    }
  }),
  rest({
    name: 'delete_release_link',
    class: 'destructive',
    title: 'Delete release link',
    summary: 'Delete a link of a release.',
    input: Type.Object({ ...release, link_id: text(), confirm: Confirm('name') }),
    confirm: {
      read: 'GET /projects/{project_id}/releases/{.tag_name}/assets/links/{link_id}',
      field: 'name',
      noun: 'link'
    },
    request: 'DELETE /projects/{project_id}/releases/{.tag_name}/assets/links/{link_id}',
    local: ['confirm'],
    done: 'The link is deleted.'
  })
]
