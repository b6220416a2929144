import { createHash } from 'node:crypto'
import type { Group, IssueLink, Job, Project, Runner, Snippet, Todo, User } from './types.ts'

/** The kind of a token, which decides which headers accept it. */
export type TokenKind = 'personal' | 'oauth' | 'job'

export interface Credential {
  kind: TokenKind
  user: User
  scopes: string[]
  /** In epoch milliseconds; null means that it never expires. */
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

interface Refresh {
  user: User
  scopes: string[]
  accessToken: string
}

/** The OAuth application of the forge, and the codes and tokens that it issued. */
interface OAuthState {
  appId: string
  appSecret: string
  /** Redirect URIs of the application. If there are none, every loopback address is allowed. */
  redirectUris: string[]
  /** The person who presses "Authorize"; null answers access_denied. */
  approveAs: User | null
  codes: Map<string, Grant>
  refreshTokens: Map<string, Refresh>
  accessSeconds: number
  /** False makes /oauth/token/info answer 404, as on a forge without that route. */
  tokenInfo: boolean
}

/** A planned fault: the next `times` matching calls get it instead of being served. */
export interface Fault {
  /** Tested against "METHOD /path?query". */
  match: RegExp
  times: number
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** Delays the answer. Without a status, the call is then served. */
  delayMs?: number
  /** Cuts the connection instead of answering. */
  hangUp?: boolean
}

/** The whole state of one sandbox forge. */
export interface ForgeState {
  url: string
  /** The release that it simulates, such as 19.5.0. Below 18.8 there is no artifacts/tree. */
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
  /** The origin of artifact archives, if it is not the forge itself. Downloads then redirect there. */
  storage: string | null
  faults: Fault[]
  now(): number
  /** The current time in the forge's format. */
  time(): string
  /** Counts up ids for each kind. They start at values that look like a forge in use. */
  nextId(kind: string): number
  /** A deterministic hash of 40 digits, for ids of commits and discussions. */
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

/** An empty forge with its own clock and counters. Its url is known once it listens. */
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
