import { maySeeIssue } from '../access.ts'
import { type Call, paged, queryText, type Reply, refuse } from '../http.ts'
import { ancestry, resolveRef } from '../model/history.ts'
import { membershipOf } from '../model/places.ts'
import { withWords } from '../model/words.ts'
import { presentIssue } from '../present/issue.ts'
import { presentMergeRequestBasic } from '../present/merge-request.ts'
import { presentNote } from '../present/note.ts'
import { presentProjectSimple } from '../present/place.ts'
import { presentMilestone } from '../present/plan.ts'
import { presentCommit } from '../present/project.ts'
import { presentUser } from '../present/user.ts'
import type { Group, Noteable, Project } from '../types.ts'
import { isCalled } from './people.ts'

/* Finds everything except code (docs: search API): all words of the search have to be in a title, name or text. */

type Finder = (call: Call, projects: readonly Project[], group: Group | undefined) => Reply

const has =
  (call: Call) =>
  (...texts: (string | null)[]): boolean =>
    texts.some(withWords(queryText(call, 'search')))

/** In git and wikis, the search is one text. */
const hasWhole =
  (call: Call) =>
  (...texts: string[]): boolean =>
    texts.some(text => text.toLowerCase().includes((queryText(call, 'search') ?? '').toLowerCase()))

/** A search that ends with a number finds the item with that number. */
const numbered = (call: Call, marks: RegExp, { iid, title, description }: Noteable): boolean => {
  const [, number] = marks.exec(queryText(call, 'search') ?? '') ?? []
  return number === undefined ? has(call)(title, description) : Number(number) === iid
}

const inState = (call: Call, { state }: { state: string }): boolean => {
  const wanted = queryText(call, 'state') ?? 'all'
  return wanted === 'all' || wanted === state
}

const issues: Finder = (call, projects) => {
  const confidential = queryText(call, 'confidential')
  const rows = projects
    .flatMap(project => project.issues)
    .filter(
      issue =>
        numbered(call, /#(\d+)$/, issue) &&
        inState(call, issue) &&
        maySeeIssue(call.user, issue) &&
        (!confidential || String(issue.confidential) === confidential)
    )
  return paged(call, rows, issue => presentIssue(call.state, issue))
}

const mergeRequests: Finder = (call, projects) => {
  const rows = projects
    .flatMap(project => project.mergeRequests)
    .filter(request => numbered(call, /[#!](\d+)$/, request) && inState(call, request))
  return paged(call, rows, request => presentMergeRequestBasic(call.state, request))
}

const milestones: Finder = (call, projects, group) => {
  const rows = [...projects, ...(group ? [group] : [])].flatMap(place =>
    place.milestones
      .filter(({ title, description }) => has(call)(title, description))
      .map(milestone => ({ place, milestone }))
  )
  return paged(call, rows, ({ place, milestone }) => presentMilestone(call.state, place, milestone))
}

const users: Finder = (call, projects, group) => {
  const places = group ? [group] : projects.length === 1 ? projects : []
  const rows = call.state.users.filter(
    user =>
      isCalled(user, queryText(call, 'search')) &&
      (places.length === 0 || places.some(place => membershipOf(place, user)))
  )
  return paged(call, rows, user => presentUser(call.state, user))
}

const projects: Finder = (call, all) =>
  paged(
    call,
    all.filter(({ name, path, description }) => has(call)(name, path, description)),
    project => presentProjectSimple(call.state, project)
  )

const snippetTitles: Finder = call =>
  paged(
    call,
    call.state.snippets.filter(({ title, author }) => has(call)(title) && author === call.user),
    ({ id, title }) => ({
      id,
      title,
      file_name: null,
      project_id: null,
      web_url: `${call.state.url}/-/snippets/${id}`
    })
  )

const everywhere: Record<string, Finder> = {
  issues,
  merge_requests: mergeRequests,
  milestones,
  users,
  projects,
  snippet_titles: snippetTitles
}

/** The results of a search in a group, or in everything. */
export const found = (call: Call, scope: string, all: readonly Project[], group?: Group): Reply => {
  if (group && scope === 'snippet_titles') throw refuse(400, 'scope does not have a valid value')
  const find = everywhere[scope]
  if (!find) throw refuse(400, 'scope does not have a valid value')
  return find(call, all, group)
}

const commits = (call: Call, project: Project): Reply => {
  const tip = resolveRef(project, queryText(call, 'ref') ?? project.defaultBranch)
  const rows = tip ? ancestry(project, tip.sha).filter(({ message }) => hasWhole(call)(message)) : []
  return paged(call, rows, commit => ({
    ...presentCommit(call.state, project, commit),
    project_id: project.id
  }))
}

const wikiPages = (call: Call, project: Project): Reply => {
  const rows = project.wiki.filter(({ title, content }) => hasWhole(call)(title, content))
  return paged(call, rows, ({ slug, content }) => ({
    basename: slug,
    data: content,
    path: `${slug}.md`,
    filename: `${slug}.md`,
    id: null,
    ref: 'main',
    startline: 1,
    project_id: project.id,
    group_id: null
  }))
}

const notes = (call: Call, project: Project): Reply => {
  const owners: Noteable[] = [
    ...project.mergeRequests,
    ...project.issues.filter(issue => maySeeIssue(call.user, issue))
  ]
  const rows = owners.flatMap(owner =>
    owner.discussions
      .flatMap(discussion => discussion.notes)
      .filter(note => !note.system && has(call)(note.body))
      .map(note => ({ owner, note }))
  )
  return paged(call, rows, ({ owner, note }) => presentNote(call.state, owner, note))
}

const inOne: Record<string, (call: Call, project: Project) => Reply> = {
  commits,
  wiki_blobs: wikiPages,
  notes
}

/** The results of a search in one project. */
export const foundIn = (call: Call, scope: string, project: Project): Reply => {
  if (scope === 'projects' || scope === 'snippet_titles')
    throw refuse(400, 'scope does not have a valid value')
  return inOne[scope]?.(call, project) ?? found(call, scope, [project])
}
