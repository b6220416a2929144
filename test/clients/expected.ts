import type { ScenarioName } from './scenarios.ts'
import type { FormName } from './servers.ts'

/** A failure that is the client's own. */
export interface Expected {
  /** As a person names them: name, release and, where it has more than one, mode. */
  readonly clients: readonly string[]
  readonly forms: readonly FormName[]
  readonly scenarios: readonly ScenarioName[]
  readonly reason: string
}

/**
 * What is known not to work, each with its reason. The list may only shrink: what works and stands here fails the run
 * as what does not work and stands nowhere does. A new release of a client has no failures until it has shown them.
 */
export const expected: readonly Expected[] = [
  {
    clients: ['Go SDK 1.6.1', 'Go SDK 1.8.0 (2025-11-25)'],
    forms: ['stateless'],
    scenarios: ['list', 'call', 'tool error', 'refused', 'activate', 'cancel', 'restart', 'ended'],
    reason:
      'It takes another session id for another server and ends the connection; `OAUTH_STATELESS_SID_REUSE_SECONDS` lets it work.'
  },
  {
    clients: ['Go SDK 1.6.1', 'Go SDK 1.8.0 (2025-11-25)'],
    forms: ['oauth stateless'],
    scenarios: ['login', 'leave'],
    reason: 'It gets no further than to its first answers, as above.'
  },
  {
    clients: [
      'TypeScript SDK v2 2.4.0 (legacy)',
      'Python SDK v1 1.30.0',
      'Python SDK v2 2.3.0 (legacy)',
      'fastmcp 4.1.2 (legacy)',
      'rmcp 3.9.0 (initialize)'
    ],
    forms: ['stateless'],
    scenarios: ['activate'],
    reason:
      'It goes on with the id of `initialize`, and what is switched on stands in the newer ones. Its tools can be called all the same; `FORGE_TOOLSETS` lists them.'
  },
  {
    clients: ['TypeScript SDK v2 2.4.0 (legacy)'],
    forms: ['oauth stateless'],
    scenarios: ['leave'],
    reason:
      'Its calls go on. It ends its session by the id of `initialize`, which is of the token before: who brings another token gets 404, which it takes for a failure.'
  },
  {
    clients: ['Python SDK v1 1.30.0'],
    forms: ['memory', 'stateless', 'kept'],
    scenarios: ['cancel'],
    reason:
      'It tells nobody that a call was cancelled, neither by a notification nor by hanging up, so a read goes on until the forge answers.'
  }
]
