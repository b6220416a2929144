import type { TObject } from 'typebox'
import { ArgumentError } from '../../results/problem.ts'
import type { OwnArguments } from '../arguments/values.ts'
import { isNamespace } from '../requests/template.ts'
import { isOfProject, putGroup } from './group-in-place.ts'
import { MAX_WEB_URL_CHARS, withoutSlashes } from './slashes.ts'

/**
 * Prepares the reading of web addresses in arguments that name a project or group.
 * @param reads whether the tool only reads. If it also takes a group, the address of a group given for a project then
 *   means the group
 * @returns a step (args, webUrl) that replaces the addresses with paths. It throws ArgumentError for an address of
 *   another forge, and for the address of a group where a project is needed
 */
export function webUrlStep(schema: TObject, reads = false): (args: OwnArguments, webUrl: string) => void {
  const names = Object.keys(schema.properties).filter(isNamespace)
  const mayBeGroup = reads && names.includes('group_id')
  return (args, webUrl) => {
    for (const name of names) {
      const value = args[name]
      if (typeof value !== 'string' || value.length > MAX_WEB_URL_CHARS) continue
      const path = pathOf(name, value, webUrl)
      if (isOfProject(name) && isOfGroup(value, webUrl)) putGroup(name, path, args, mayBeGroup)
      else args[name] = path
    }
  }
}

/**
 * Whether a text is the address of a group, or of something in one: the path of a project never begins with `groups`.
 */
function isOfGroup(given: string, webUrl: string): boolean {
  const value = given.trim()
  return /^https?:/i.test(value) && /^(?:api\/v4\/)?groups\/[^/]/.test(value.slice(webUrl.length + 1))
}

/** Trims a text, and reduces a clone URL to its path: no project's name ends in .git. */
function plain(given: string, webUrl: string): string {
  const value = given.trim()
  if (!value.endsWith('.git')) return value
  const path = /^(?:ssh:\/\/)?(?:\w+@)?([^/:]+)(?::\d+\/|[:/])(.+)\.git$/.exec(value)
  const isHere = path !== null && path[1]!.toLowerCase() === new URL(webUrl).hostname
  if (isHere) return path[2]!
  return /[:@]/.test(value) ? value : value.slice(0, -'.git'.length)
}

/**
 * The id or encoded path in an API address of a project or group, or the id in the address of a project's page by
 * number. No group is called `projects`.
 */
const byId = (path: string): string | undefined =>
  /^(?:api\/v4\/(?:projects|groups)|projects)\/([^/]+)\/*$/.exec(path)?.[1]

/** The plain path of a project or group, from its web address or from a path with slashes around it. */
function pathOf(name: string, given: string, webUrl: string): string {
  const value = plain(given, webUrl)
  if (!value.includes('/')) return value
  if (!/^https?:/i.test(value)) return withoutSlashes(value) || value
  const home = `${webUrl}/`
  if (value.slice(0, home.length).toLowerCase() !== home.toLowerCase())
    throw new ArgumentError(name, `is an address of another forge than ${webUrl}`)
  const whole = value
    .slice(home.length)
    .replace(/[?#].*$/s, '')
    .replace(/\/-\/.*$/s, '')
  const path = byId(whole) ?? withoutSlashes(whole.replace(/^groups\//, '')).replace(/\.git$/, '')
  if (path === '') throw new ArgumentError(name, 'is the address of the forge itself')
  return path
}
