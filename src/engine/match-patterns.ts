import { threadMs } from '../load/thread-ms.ts'

export interface MatchRequest {
  readonly patterns: readonly string[]
  /** The old and new path of each entry. */
  readonly entries: readonly (readonly string[])[]
}

/** The entries that match, and the time that this took in milliseconds; or the invalid pattern. */
export type MatchReply =
  | { readonly matches: readonly boolean[]; readonly ms: number }
  | { readonly invalid: string; readonly why: string }

/** Compiles the patterns of one request and matches them. This may take long, so it runs in a worker. */
export function matchPatterns({ patterns, entries }: MatchRequest): MatchReply {
  const began = threadMs()
  const compiled: RegExp[] = []
  for (const pattern of patterns) {
    try {
      compiled.push(new RegExp(pattern))
    } catch (error) {
      return { invalid: pattern, why: (error as Error).message.replace(/^Invalid regular expression: /, '') }
    }
  }
  const matches = entries.map(paths => compiled.some(pattern => paths.some(path => pattern.test(path))))
  return { matches, ms: threadMs() - began }
}
