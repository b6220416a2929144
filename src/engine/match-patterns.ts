import { threadMs } from '../thread-ms.ts'

export interface MatchRequest {
  readonly patterns: readonly string[]
  /** Each entry's paths: old and new. */
  readonly entries: readonly (readonly string[])[]
}

/** Which entries match, and what it took to tell in milliseconds; or the pattern that is not one. */
export type MatchReply =
  | { readonly matches: readonly boolean[]; readonly ms: number }
  | { readonly invalid: string; readonly why: string }

/** Compiles the patterns of one request and tries them, however long that takes: for a worker. */
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
