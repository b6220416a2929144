/**
 * Tokens that open nothing of what is asked for here, by how they begin: of GitLab (its token overview), whose prefixes
 * an administrator may change, and of GitHub.
 */
const kinds: readonly (readonly [begins: RegExp, kind: string])[] = [
  [/^gldt-/, 'a deploy token, for git and registries alone'],
  [/^glrtr?-/, 'the token of a runner'],
  [/^glft-/, 'a feed token'],
  [/^glsoat-/, 'a token of SCIM'],
  [/^glptt-/, 'a token that triggers pipelines'],
  [/^glimt-/, 'a token of incoming mail'],
  [/^glagent-/, 'the token of an agent in Kubernetes'],
  [/^glffct-/, 'a token of clients of feature flags'],
  [/^gloas-/, 'the secret of an OAuth application'],
  [/^glcbt-/, 'the token of a CI job, which counts in the header JOB-TOKEN alone'],
  [/^(?:gh[oprsu]_|github_pat_)/, 'a token of GitHub']
]

/**
 * What a token is, by its beginning, and which is needed in its place, as a sentence without the token.
 * @param token that is sent in no JOB-TOKEN header
 * @returns undefined for one that may be of a person, project or group
 */
export function otherToken(token: string): string | undefined {
  const kind = kinds.find(([begins]) => begins.test(token))?.[1]
  return (
    kind &&
    `By its beginning the token is ${kind}: make a personal, project or group access token, with the scope api (read_api to read).`
  )
}
