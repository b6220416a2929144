import { createHash } from 'node:crypto'
import type { Group, IssueLink, Job, Project, Runner, Snippet, Todo, User } from './types.ts'

/** How a token came to be: it decides in which header it counts. */
export type TokenKind = 'personal' | 'oauth' | 'job'

export interface Credential {
  kind: TokenKind
  user: User
  scopes: string[]
  /** Epoch milliseconds; null never expires. */
  expiresAt: number | null
  job: Job | null
  createdAt: number
}

export interface Grant {
  user: User
  clientId: string
  redirectUri: string
  challenge: string | null
  scopes: string[]
  expiresAt: number
}

export interface Refresh {
  user: User
  scopes: string[]
  accessToken: string
}

/** The OAuth application of the forge and everything it handed out. */
export interface OAuthState {
  appId: string
  appSecret: string
  /** Redirect URIs of the application; empty allows every loopback address. */
  redirectUris: string[]
  /** Who presses "Authorize"; null answers access_denied. */
  approveAs: User | null
  codes: Map<string, Grant>
  refreshTokens: Map<string, Refresh>
  accessSeconds: number
  /** False makes /oauth/token/info answer 404, as on a forge without it. */
  tokenInfo: boolean
}

/** A misfortune to come: the next `times` matching calls fare like this instead of being served. */
export interface Fault {
  /** Tested against "METHOD /path?query". */
  match: RegExp
  times: number
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** Answer this much later (then as served, unless a status is given). */
  delayMs?: number
  /** Cut the connection instead of answering. */
  hangUp?: boolean
}

/** Everything one sandbox forge knows. */
export interface ForgeState {
  url: string
  /** Release it plays, such as 19.5.0: below 18.8 there is no artifacts/tree. */
  version: string
  /** The free edition has no approval_state and no approval rules. */
  edition: 'ee' | 'ce'
  users: User[]
  groups: Group[]
  projects: Project[]
  links: IssueLink[]
  todos: Todo[]
  snippets: Snippet[]
  runners: Runner[]
  credentials: Map<string, Credential>
  oauth: OAuthState
  /** Where artifact archives lie, when not with the forge itself: downloads then redirect there. */
  storage: string | null
  faults: Fault[]
  now(): number
  /** The clock as the forge writes times. */
  time(): string
  /** Ids count up per kind, from a start that looks like a forge in use. */
  nextId(kind: string): number
  /** Deterministic 40-digit hash: commit and discussion ids. */
  hash(...parts: unknown[]): string
}

const FIRST_IDS: Record<string, number> = {
  user: 1,
  group: 7,
  project: 41,
  mergeRequest: 300,
  issue: 500,
  note: 9000,
  pipeline: 1200,
  job: 8000,
  version: 700,
  environment: 30,
  deployment: 90,
  todo: 60,
  award: 20,
  approvalRule: 900,
  schedule: 70,
  runner: 4,
  package: 600,
  packageFile: 6000,
  image: 80,
  hook: 40
}

/** An empty forge with its own clock and counters; its url is known after listening. */
export const createState = (parts: Pick<ForgeState, 'now' | 'version' | 'edition'>): ForgeState => {
  const counters = new Map<string, number>()
  const nextId = (kind: string) => {
    const id = counters.get(kind) ?? FIRST_IDS[kind] ?? 1
    counters.set(kind, id + 1)
    return id
  }
  return {
    url: '',
    version: parts.version,
    edition: parts.edition,
    users: [],
    groups: [],
    projects: [],
    links: [],
    todos: [],
    snippets: [],
    runners: [],
    credentials: new Map(),
    oauth: {
      appId: 'sandboxapp0000000000000000000000000000000000000000000000000app1',
      appSecret: 'gloas-sandbox-secret-000000000000',
      redirectUris: [],
      approveAs: null,
      codes: new Map(),
      refreshTokens: new Map(),
      accessSeconds: 7200,
      tokenInfo: true
    },
    storage: null,
    faults: [],
    now: parts.now,
    time: () => new Date(parts.now()).toISOString(),
    nextId,
    hash: (...parts) => createHash('sha1').update(JSON.stringify(parts)).digest('hex')
  }
}
