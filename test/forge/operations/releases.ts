import { timeOf } from '../../../src/engine/rows/calendar.ts'
import { LEVEL, projectOf } from '../access.ts'
import {
  bodyList,
  bodyText,
  type Call,
  created,
  notFound,
  type Operations,
  ok,
  paged,
  queryText,
  refuse
} from '../http.ts'
import { resolveRef } from '../model/history.ts'
import { milestonesOf } from '../model/plans.ts'
import { within } from '../model/rows.ts'
import { presentMilestone } from '../present/plan.ts'
import { presentCommit, projectUrl } from '../present/project.ts'
import { presentUser } from '../present/user.ts'
import type { Project, Release, ReleaseLink } from '../types.ts'

const presentLink = (call: Call, project: Project, release: Release, link: ReleaseLink) => ({
  id: link.id,
  name: link.name,
  url: link.url,
  direct_asset_url: link.directAssetPath
    ? `${projectUrl(call.state, project)}/-/releases/${release.tag}/downloads${link.directAssetPath}`
    : link.url,
  link_type: link.type
})

const present = (call: Call, project: Project, release: Release) => {
  const url = projectUrl(call.state, project)
  const tag = project.repository.tags.get(release.tag)
  const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar']
  return {
    tag_name: release.tag,
    description: release.description,
    name: release.name,
    created_at: release.createdAt,
    released_at: release.releasedAt,
    upcoming_release: Date.parse(release.releasedAt) > call.state.now(),
    author: presentUser(call.state, release.author),
    commit: tag ? presentCommit(call.state, project, project.commits.get(tag.sha)!) : null,
    milestones: release.milestones.map(milestone => presentMilestone(call.state, project, milestone)),
    commit_path: `/-/commit/${tag?.sha}`,
    tag_path: `/-/tags/${release.tag}`,
    assets: {
      count: formats.length + release.links.length,
      sources: formats.map(format => ({ format, url: `${url}/-/archive/${release.tag}/rocket.${format}` })),
      links: release.links.map(link => presentLink(call, project, release, link))
    },
    evidences: [],
    _links: { self: `${url}/-/releases/${release.tag}` }
  }
}

const releaseOf = (call: Call, project: Project): Release => {
  const found = project.releases.find(({ tag }) => tag === call.params.tag_name)
  if (!found) throw notFound('Release')
  return found
}

/** Milestones by title or id; undefined if the body has none, which leaves them unchanged. */
const milestonesIn = (call: Call, project: Project) => {
  const titles = bodyList(call, 'milestones')
  const ids = bodyList(call, 'milestone_ids')
  const wanted = titles ?? ids
  if (wanted === undefined) return undefined
  return wanted.map(item => {
    const found = milestonesOf(project).find(({ id, title }) => (titles ? title : String(id)) === item)
    if (!found) throw refuse(400, `Milestone(s) not found: ${item}`)
    return found
  })
}

/** Whether a path begins with one slash and ends with a letter or digit. */
const isAssetPath = (path: string) =>
  path.length <= 128 && /^\/[^/][-.\w/]+[\da-z]$/i.test(path) && !path.includes('//')

const linkIn = (call: Call, release: Release, body: Record<string, unknown>): ReleaseLink => {
  const [name, url] = [String(body.name), String(body.url)]
  if (!/^(https?|ftp):\/\//.test(url))
    throw refuse(400, { url: ['is blocked: Only allowed schemes are http, https, ftp'] })
  if (release.links.some(link => link.name === name || link.url === url))
    throw refuse(400, { name: ['has already been taken'] })
  const path = body.direct_asset_path ?? body.filepath
  if (path && !isAssetPath(String(path))) throw refuse(400, { filepath: ['is in an invalid format'] })
  if (path && release.links.some(link => link.directAssetPath === path))
    throw refuse(400, { filepath: ['has already been taken'] })
  const link = {
    id: call.state.nextId('releaseLink'),
    name,
    url,
    directAssetPath: path ? String(path) : null,
    type: String(body.link_type ?? 'other')
  }
  release.links.push(link)
  return link
}

/** Creates the tag from `ref` unless it exists. */
const ensureTag = (call: Call, project: Project, name: string) => {
  const { tags } = project.repository
  if (tags.has(name)) return
  const ref = bodyText(call, 'ref')
  const commit = ref ? resolveRef(project, ref) : undefined
  if (!commit) throw refuse(422, ref ? 'Target is invalid' : 'Ref is not specified')
  const message = bodyText(call, 'tag_message') ?? null
  tags.set(name, {
    name,
    sha: commit.sha,
    message,
    target: message === null ? commit.sha : call.state.hash('tag', name, message),
    createdAt: message === null ? null : call.state.time()
  })
}

/** The time of the release. A date without a time means midnight. */
const releasedAt = (call: Call): string | undefined => {
  const given = bodyText(call, 'released_at')
  if (!given) return undefined
  const at = timeOf(given)
  if (Number.isNaN(at)) throw refuse(400, { released_at: ['is invalid'] })
  return new Date(at).toISOString()
}

const create = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const tag = bodyText(call, 'tag_name') ?? ''
  if (project.releases.some(release => release.tag === tag)) throw refuse(409, 'Release already exists')
  const milestones = milestonesIn(call, project) ?? []
  ensureTag(call, project, tag)
  const release: Release = {
    tag,
    name: bodyText(call, 'name') ?? tag,
    description: bodyText(call, 'description') ?? '',
    author: call.user,
    createdAt: call.state.time(),
    releasedAt: releasedAt(call) ?? call.state.time(),
    milestones,
    links: []
  }
  const { links = [] } = (call.body.assets ?? {}) as { links?: Record<string, unknown>[] }
  for (const link of links) linkIn(call, release, link)
  project.releases.push(release)
  return created(present(call, project, release))
}

const list = (call: Call) => {
  const project = projectOf(call)
  const by = queryText(call, 'order_by') === 'created_at' ? 'createdAt' : 'releasedAt'
  const sign = queryText(call, 'sort') === 'asc' ? 1 : -1
  const rows = project.releases
    .filter(({ createdAt }) => within(call, 'updated', Date.parse(createdAt)))
    .sort((a, b) => sign * (Date.parse(a[by]) - Date.parse(b[by])))
  return paged(call, rows, release => present(call, project, release))
}

const update = (call: Call) => {
  const project = projectOf(call, LEVEL.developer)
  const release = releaseOf(call, project)
  release.name = bodyText(call, 'name') ?? release.name
  release.description = bodyText(call, 'description') ?? release.description
  release.releasedAt = releasedAt(call) ?? release.releasedAt
  release.milestones = milestonesIn(call, project) ?? release.milestones
  return ok(present(call, project, release))
}

const withLink = (call: Call, level: number) => {
  const project = projectOf(call, level)
  const release = releaseOf(call, project)
  const link = release.links.find(({ id }) => String(id) === call.params.link_id)
  if (!link) throw notFound('Release Link')
  return { project, release, link }
}

/** Operations on releases and their links. */
export const releaseOperations: Operations = {
  list_releases: list,
  get_release: call => {
    const project = projectOf(call)
    return ok(present(call, project, releaseOf(call, project)))
  },
  create_release: create,
  update_release: update,
  delete_release: call => {
    const project = projectOf(call, LEVEL.maintainer)
    const release = releaseOf(call, project)
    project.releases = project.releases.filter(other => other !== release)
    // Answers 200 with the release. The tag stays.
    return ok(present(call, project, release))
  },
  create_release_link: call => {
    const project = projectOf(call, LEVEL.developer)
    const release = releaseOf(call, project)
    return created(presentLink(call, project, release, linkIn(call, release, call.body)))
  },
  get_release_link: call => {
    const { project, release, link } = withLink(call, LEVEL.guest)
    return ok(presentLink(call, project, release, link))
  },
  delete_release_link: call => {
    const { project, release, link } = withLink(call, LEVEL.developer)
    release.links = release.links.filter(other => other !== link)
    return ok(presentLink(call, project, release, link))
  }
}
