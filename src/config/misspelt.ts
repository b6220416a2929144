import { namedIn } from './env-files/named-in.ts'
import type { Settings } from './load.ts'
import {
  asVariable,
  insteadOf,
  isOfOthers,
  isOurs,
  meantBy,
  ofOthers,
  othersBegin,
  unlessShort
} from './meant-variable.ts'
import { withoutMarks } from './quotation-marks.ts'
import { entries, type Variable, variables } from './schema.ts'

/**
 * Variables that are not meant for this service: Kubernetes sets them in each pod for services of such names, GitLab
 * sets them in each CI job, or clients, the forge's other programs and the command doctor read them.
 */
const notForUs =
  /^(?!OTEL_).*_SERVICE_|_PORT(?:_|$)|^FORGE_(?:OAUTH_|DOCTOR_)?TOKEN$|^GITLAB_(?:API_KEY|API_TOKEN|LOG_LEVEL|PAT)$|^(?:GITLAB_)?CI_/

/** A name and its value in a line of a file that Node.js does not read as a setting. */
export interface InLine {
  readonly written: string
  readonly value: string
  /** Where the line is, and how to change it, as a sentence. */
  readonly stands: string
}

/** A name that looks like a variable of this service but is none: a setting that nobody reads. */
export interface Misspelt {
  /** As it is set, without invisible characters. */
  readonly name: string
  /** Without quotation marks around it. */
  readonly value: string
  /** The variable that may be meant, if one is similar. */
  readonly meant: string | undefined
  /** Where the line is, if it is in a file (InLine.stands). */
  readonly stands: string | undefined
}

/** Whether a text is written as a comment. Files of variables only accept a # at the very beginning of a line. */
export const isComment = (text: string): boolean => /^\s*(?:#|;|\/\/)/.test(text)

/** Matches invisible characters of a name: a byte order mark, blanks, controls. */
const unseen = /[\p{C}\p{Z}]/gu

/** A name without these characters. */
export const seenOf = (written: string): string => written.replace(unseen, '')

const known = new Set<string>(variables)

/** Whether a value sets nothing, or switches something off. */
export const setsNothing = (value: string): boolean => /^(?:0|disabled?|f|false|n|no|off)?$/i.test(value)

/**
 * A name without words of a shell before it, as in `declare -x NAME`, without what an env file has behind a colon or a
 * blank, which may be a secret, and without invisible characters.
 */
const bare = (written: string): string => namedIn(written)?.name ?? seenOf(written)

/**
 * Whether what was meant as the value is in the name: of `NAME: c2VjcmV0=` only the last sign divides. A comment is
 * none.
 */
const hasRest = (written: string): boolean => !/^(?:#|$)/.test(namedIn(written)?.value ?? '')

/**
 * Finds names in an environment that are variables except for invisible characters, or for words before them. Each is
 * returned with its written form. A blank at the end also occurs where other programs have the same name: on Windows,
 * `set PORT =3000` makes one.
 * @param decided the settings from other sources
 */
export const blurred = (env: NodeJS.ProcessEnv, decided: Settings): { name: string; written: string }[] =>
  Object.entries(env)
    .map(([written, value = '']) => ({
      written,
      name: bare(written),
      value: value.trim()
    }))
    .filter(
      ({ written, name, value }) =>
        known.has(name) &&
        (isOurs(name) || seenOf(written) === name) &&
        (/^(?:FORGE|MCP)_/.test(name) || written.trimEnd() !== name) &&
        (value !== '' || hasRest(written)) &&
        decided[name as Variable] === undefined
    )

/**
 * Finds names in an environment that look like variables of this service but are not: settings that nobody reads. A name
 * that is given twice may be among them twice, as one of its values may set nothing.
 * @param decided the settings from all sources; an empty variable is not among them
 * @param lines settings in lines of files that Node.js does not read
 */
export const allMisspelt = (
  env: NodeJS.ProcessEnv,
  decided: Settings,
  lines: readonly InLine[] = []
): Misspelt[] =>
  [...Object.entries(env).map(([written, value = '']) => ({ written, value, stands: undefined })), ...lines]
    .filter(({ written }) => !isComment(written))
    .map(({ written, value, stands }) => ({ name: bare(written), value: withoutMarks(value), stands }))
    .filter(({ name, value }) => !known.has(name) && !isForOthers(asVariable(name), value))
    .flatMap(({ name, value, stands }): Misspelt[] => {
      const large = asVariable(name)
      const ofOther = ofOthers(name, value)
      const meant = variableMeant(name, value)
      if (meant === undefined)
        return large.startsWith('FORGE_') || insteadOf(name) !== undefined
          ? [{ name, value, meant, stands }]
          : []
      // If the meant variable is set as well, the other name belongs to another program; on Windows both names are the
      // same.
      const others =
        known.has(large) || othersBegin.test(large) || ofOther !== undefined || meant.endsWith(`_${large}`)
      return others && decided[meant as Variable] !== undefined ? [] : [{ name, value, meant, stands }]
    })

/**
 * The variable that may be meant by a name that is none, wherever it is given.
 * @param name as it is set, without invisible characters
 */
export function variableMeant(name: string, value: string): string | undefined {
  const large = asVariable(name)
  const ours = known.has(large) ? unlessShort(large) : meantBy(large)
  return listOf(ofOthers(name, value) ?? ours, large, value)
}

/** The first of each name, in their order. */
export function firstOfEach<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const names = new Set<string>()
  return all.filter(({ name }) => names.size < names.add(name).size)
}

/** A project, by id or path. */
const projectLike = /^(?:\d+|[\w.-]+(?:(?:\/|%2F)[\w.-]+)+)$/i

/** The list of allowed projects, if a name of ours is similar to the one for a single project but means several. */
const listOf = (meant: string | undefined, large: string, value: string): string | undefined =>
  meant === 'FORGE_PROJECT_ID' &&
  /^FORGE_/.test(large) &&
  (large.endsWith('S') || value.includes(',')) &&
  entries(value).every(one => projectLike.test(one))
    ? 'FORGE_ALLOWED_PROJECT_IDS'
    : meant

/**
 * Whether another program reads a name, or its value sets nothing. A port that Kubernetes sets for a service is a URL.
 */
function isForOthers(large: string, value: string): boolean {
  if (/^(?:FORGE|MCP)_PORT$/.test(large)) return !/^\d+$/.test(value)
  return (
    notForUs.test(large) || (!large.startsWith('FORGE_') && setsNothing(value) && isOfOthers(large, value))
  )
}

/** Says, without the value, that such a name is not read, and which variable may be meant. */
export function sentenceOf({ name, meant, stands = '' }: Misspelt): string {
  const advice =
    meant === undefined ? (insteadOf(name) ?? '--help lists those that are.') : `${meant} may be meant.`
  return notRead(name, `${advice} ${stands}`.trimEnd())
}

/** Says that nobody reads a name. @param advice what to do, as a sentence without its capital */
export const notRead = (name: string, advice: string): string =>
  `${name} is no variable of this service and is not read: ${advice}`
