import { parentPort } from 'node:worker_threads'
import type { MatchReply, MatchRequest } from './patterns.ts'

/** Runs in a worker thread: compiles the patterns of one request and tries them. */
function reply({ patterns, entries }: MatchRequest): MatchReply {
  const compiled: RegExp[] = []
  for (const pattern of patterns) {
    try {
      compiled.push(new RegExp(pattern))
    } catch (error) {
      return { invalid: pattern, why: (error as Error).message.replace(/^Invalid regular expression: /, '') }
    }
  }
  return { matches: entries.map(paths => compiled.some(pattern => paths.some(path => pattern.test(path)))) }
}

parentPort!.on('message', (request: MatchRequest) => parentPort!.postMessage(reply(request)))
parentPort!.postMessage('ready')
