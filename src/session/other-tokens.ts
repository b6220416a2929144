/**
 * Tokens that open nothing of what is asked for here, by how they begin: of GitLab (its token overview), whose prefixes
 * an administrator may change, and of GitHub; with the variable that a secret among them is for.
 */
const kinds: readonly (readonly [begins: RegExp, kind: string, variable?: string])[] = [
  [/^gldt-/, 'a deploy token, for git and registries alone'],
  [/^glrtr?-/, 'the token of a runner'],
  [/^glft-/, 'a feed token'],
  [/^glsoat-/, 'a token of SCIM'],
  [/^glptt-/, 'a token that triggers pipelines'],
  [/^glimt-/, 'a token of incoming mail'],
  [/^glagent-/, 'the token of an agent in Kubernetes'],
  [/^glwt-/, 'the token of a workspace'],
  [/^glffct-/, 'a token of clients of feature flags'],
  [/^gloas-/, 'the secret of an OAuth application', 'FORGE_OAUTH_APP_SECRET'],
  [/^glcbt-/, 'the token of a CI job, which counts in the header JOB-TOKEN alone'],
  [/^(?:gh[oprsu]_|github_pat_)/, 'a token of GitHub']
]

const rowOf = (token: string) => kinds.find(([begins]) => begins.test(token))

/** Whether a text is a whole token, by its beginning and length. */
export const isWholeToken = (text: string): boolean =>
  /^[a-z]+[-_][\w.-]{20,}$/.test(text) && (text.startsWith('glpat-') || rowOf(text) !== undefined)

/** What a token is, by its beginning; undefined for one that may be of a person, project or group. */
export const tokenKind = (token: string): string | undefined => rowOf(token)?.[1]

/** The variable of this service that a token is for, by its beginning; undefined if none is. */
export function variableForToken(token: string): string | undefined {
  const row = rowOf(token)
  return row === undefined ? 'FORGE_PERSONAL_ACCESS_TOKEN' : row[2]
}

/**
 * What a token is, by its beginning, and which is needed in its place, as a sentence without the token.
 * @param token that is sent in no JOB-TOKEN header
 * @returns undefined for one that may be of a person, project or group
 */
export function otherToken(token: string): string | undefined {
  const kind = tokenKind(token)
  return (
    kind &&
    `By its beginning the token is ${kind}: make a personal, project or group access token, with the scope api (read_api to read).`
  )
}
