import type { TObject } from 'typebox'
import { ArgumentError } from '../../results/problem.ts'
import { isNamespace } from '../requests/template.ts'
import { isOfProject, putGroup } from './group-in-place.ts'
import { MAX_WEB_URL_CHARS, withoutSlashes } from './slashes.ts'

/**
 * Prepares the reading of web addresses in arguments that name a project or group.
 * @param reads whether the tool only reads: the address of a group in the place of a project is the group then, where it
 *   takes one
 * @returns a step that puts the path in their place. It throws ArgumentError for an address of another forge, and for
 *   that of a group where a project is named
 */
export function webUrlStep(
  schema: TObject,
  reads = false
): (args: Record<string, unknown>, webUrl: string) => void {
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

/** Whether something is the address of a group, or of what is in one: no project is below `groups`. */
function isOfGroup(given: string, webUrl: string): boolean {
  const value = given.trim()
  return /^https?:/i.test(value) && /^(?:api\/v4\/)?groups\/[^/]/.test(value.slice(webUrl.length + 1))
}

/** The text without blanks around it, and for a clone URL its path: no project's name ends in .git. */
function plain(given: string, webUrl: string): string {
  const value = given.trim()
  if (!value.endsWith('.git')) return value
  const path = /^(?:ssh:\/\/)?(?:\w+@)?([^/:]+)(?::\d+\/|[:/])(.+)\.git$/.exec(value)
  const isHere = path !== null && path[1]!.toLowerCase() === new URL(webUrl).hostname
  if (isHere) return path[2]!
  return /[:@]/.test(value) ? value : value.slice(0, -'.git'.length)
}

/** What stands for a project or group in the address of its API, or of its page by its number: no group is `projects`. */
const byId = (path: string): string | undefined =>
  /^(?:api\/v4\/(?:projects|groups)|projects)\/([^/]+)\/*$/.exec(path)?.[1]

/** The path in a project's or group's web address, or a path with slashes around it, as a plain path. */
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
