import type { TObject } from 'typebox'
import { NoPlace } from '../../results/problem.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import { argumentsOf, type NamedIn } from '../arguments/argument-flags.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { nearActions } from './actions.ts'
import {
  isIssue,
  isProject,
  type NearContext,
  nearBranch,
  nearLabel,
  nearNewTag,
  nearRelease,
  nearTag,
  type Suggestion
} from './names.ts'
import { fileTools, nearDirectory, nearFile, startFolder } from './paths.ts'
import { nearGroup, nearProject } from './places.ts'
import { sameNamed } from './same.ts'

/*
 * Suggests what may have been meant by the name of a project, group, branch, tag, file or label that does not exist.
 * The forge is asked only after it has reported that, and only if the caller may run the tools that list such names.
 * One list is read; two for a file, project or group, for a name that may be a tag instead of a branch, and for the
 * ends of a range; and one more for a branch, which a fork may have. For two issues, only the missing one is named. For a thing to be deleted, only another spelling of
 * its own name is suggested (same.ts). rows/fields.ts and rows/revisions.ts say which arguments are affected.
 */

/** Finds a suggestion. @returns a sentence; undefined if no name is near, or if it must not be disclosed */
type Near = (
  name: string,
  args: Arguments,
  place: NearContext,
  argument: string
) => Promise<string | Suggestion | undefined>

interface Missing {
  /** Matches the forge's message for something that does not exist. */
  readonly says: RegExp
  /** The tools that list such names. */
  readonly by: readonly string[]
  readonly near: Near
  /** Whether the name of an argument exists, to tell which of several in one call is missing. */
  readonly isThere?: (argument: string, args: Arguments, forge: ForgeClient) => Promise<boolean>
}

const ofForge =
  (near: (name: string, args: Arguments, forge: ForgeClient) => Promise<string | undefined>): Near =>
  (name, args, { forge }) =>
    near(name, args, forge)

const missing: Readonly<Record<NamedIn, Missing>> = {
  project: {
    says: /\bproject\b.*\bnot found/i,
    by: ['list_projects'],
    near: ofForge(nearProject),
    isThere: (argument, args, forge) => isProject(String(args[argument]), forge)
  },
  group: { says: /\bgroup\b.*\bnot found/i, by: ['list_groups'], near: ofForge(nearGroup) },
  namespace: {
    says: /\b(?:namespace|group)\b.*\bnot found/i,
    by: ['list_groups'],
    near: ofForge(nearGroup)
  },
  issue: {
    says: /^(?!.*\bproject\b).*\bnot found/i,
    by: ['get_issue'],
    near: async () => undefined,
    isThere: isIssue
  },
  revision: {
    says: /\b(?:commit|branch|tree|ref|reference|revision)\b.*\bnot found|invalid reference|target (?:\S{1,255} )?is invalid|does not exist|is ambiguous|are on a branch|set the default branch/i,
    by: ['list_branches'],
    near: nearBranch
  },
  tag: { says: /\btag\b.*\bnot found/i, by: ['list_tags'], near: ofForge(nearTag) },
  // A tag that is created if it does not exist, provided that the call names a ref for it.
  taggable: { says: /\bref is not specified/i, by: ['list_tags'], near: ofForge(nearNewTag) },
  release: {
    says: /\brelease\b.*\bnot found/i,
    by: ['list_releases', 'list_tags'],
    near: ofForge(nearRelease)
  },
  file: {
    says: /\bfile\b.*\bnot found/i,
    by: fileTools,
    near: (name, args, { forge }) =>
      nearFile(name, args, forge, 'start_line and end_line say which lines of it')
  },
  directory: { says: /\btree\b.*\bnot found/i, by: ['get_repository_tree'], near: ofForge(nearDirectory) },
  actions: {
    says: /file with this name (?:doesn't exist|already exists)/,
    by: ['get_repository_tree'],
    near: (_, args, { forge }) => nearActions(args, folder => startFolder(folder, args, forge))
  },
  label: { says: /\blabel\b.*\bnot found/i, by: ['list_labels'], near: ofForge(nearLabel) }
}

/**
 * Prepares the suggestions for names in a refused call.
 * @returns a step that adds a suggestion to a refusal, and never fails; undefined for a tool without such names
 */
export function suggestionStep(
  schema: TObject
):
  | ((
      error: unknown,
      args: Arguments,
      context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
    ) => Promise<void>)
  | undefined {
  const properties = Object.entries(argumentsOf(schema))
  const named: readonly NamedArgument[] = properties.flatMap(([argument, { namedIn, toDelete = false }]) =>
    namedIn === undefined
      ? []
      : [{ argument, ...missing[namedIn], ...(toDelete && { near: sameNamed(namedIn), isAll: true }) }]
  )
  if (named.length === 0) return undefined
  return async (error, args, context) => {
    if (!mayMiss(error)) return
    const words = error instanceof NoPlace ? `${error.noun} not found` : error.message.slice(0, MAX_WORDS)
    for (const one of named) {
      if (error.reason !== undefined || !mayBeMeant(one, words, args, context)) continue
      const alike = named.filter(({ near }) => near === one.near)
      error.reason = await reasonOf(one, alike, args, context)
      if (one.isAll === true && error instanceof ForgeStatusError)
        error.isExplained = error.reason !== undefined
    }
  }
}

/** Whether a refusal may be about this argument, by its words, and whether the caller may see the existing names. */
const mayBeMeant = (
  { argument, says, by }: NamedArgument,
  words: string,
  args: Arguments,
  context: NearContext
): boolean => args[argument] !== undefined && says.test(words) && by.every(tool => context.mayRun(tool))

interface NamedArgument extends Missing {
  readonly argument: string
  /** Whether the suggestion fully explains the refusal, so that the advice for the status would mislead. */
  readonly isAll?: boolean
}

/** The reason to add to the refusal. @param alike arguments of the tool that name the same kind of thing */
async function reasonOf(
  one: NamedArgument,
  alike: readonly NamedArgument[],
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'lookups' | 'mayRun'>
): Promise<string | undefined> {
  const { lookups } = context
  const found = await lookups.within(() => suggestionFor(one, alike, args, context)).catch(() => undefined)
  // In a time of its own, so that what was found is not lost where this takes too long.
  const more = found?.beside && (await lookups.within(found.beside).catch(() => undefined))
  return [found?.said, more].filter(said => said !== undefined).join(' ') || undefined
}

async function suggestionFor(
  { argument, near, isThere }: NamedArgument,
  alike: readonly NamedArgument[],
  args: Arguments,
  place: NearContext
): Promise<Suggestion | undefined> {
  const name = String(args[argument])
  const isOneOfSeveral = alike.filter(other => args[other.argument] !== undefined).length > 1
  const which = isOneOfSeveral ? isThere : undefined
  if (await which?.(argument, args, place.forge)) return undefined
  const guess = await near(name, args, place, argument).catch(() => undefined)
  const found = typeof guess === 'object' ? guess : { said: guess }
  if (which === undefined) return found
  const said = [`It is ${argument} that is not found.`, found.said]
    .filter(part => part !== undefined)
    .join(' ')
  return { ...found, said }
}

const statuses = new Set([400, 404, 422])

const mayMiss = (error: unknown): error is ForgeStatusError | NoPlace =>
  error instanceof NoPlace || (error instanceof ForgeStatusError && statuses.has(error.status))

/** Most characters of a refusal that are read: forges say at its beginning which thing does not exist. */
const MAX_WORDS = 500
