import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Dispatcher } from 'undici'
import { troubleSampling } from '../../src/log/sampled-lines.ts'
import { documentDispatch, fetchDocument } from '../../src/oauth/clients/client-document.ts'
import { Clients } from '../../src/oauth/clients/clients.ts'
import { CredentialCache } from '../../src/oauth/credentials/credential-cache.ts'
import { CredentialChecker, checkLimits } from '../../src/oauth/credentials/credential-checker.ts'
import { OAuthGuard } from '../../src/oauth/credentials/guard.ts'
import type { OAuthProxy } from '../../src/oauth/endpoints/proxy.ts'
import { Renewals } from '../../src/oauth/endpoints/renewals.ts'
import { INFO_PATH } from '../../src/oauth/forge/credential-check.ts'
import { ForgeOAuth, loginTurns } from '../../src/oauth/forge/forge-oauth.ts'
import { readScopes } from '../../src/oauth/rules/scopes.ts'
import { MemoryOAuthStorage } from '../../src/oauth/storage/memory-storage.ts'
import { SealedOAuthStorage } from '../../src/oauth/storage/sealed-storage.ts'
import type { OAuthStorage } from '../../src/oauth/storage/storage.ts'
import { pooledRandom, type Random } from '../../src/seal/random.ts'
import { ownBase } from '../../src/server-address.ts'
import { forgeBounds } from '../../src/upstream/connections/dispatcher.ts'
import type { GateLimits } from '../../src/upstream/guard/gate.ts'
import { forgeBase } from '../../src/upstream/hosts/url.ts'
import { userAgent } from '../../src/version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** OAuth mode; undefined unless FORGE_MCP_OAUTH is on. */
    readonly oauth: OAuthMode | undefined
  }
}

interface OAuthMode {
  readonly proxy: OAuthProxy
  readonly credentials: CredentialCache
  readonly checker: CredentialChecker
  readonly guard: OAuthGuard
  /** Base URL of the forge, with its path. */
  readonly forgeUrl: string
}

/** Decorates OAuth mode: the login through this service, and the check of credentials at the forge. */
export default fp(
  async fastify => {
    fastify.decorate('oauth', fastify.config.FORGE_MCP_OAUTH ? createMode(fastify) : undefined)
  },
  {
    fastify: '5.x',
    name: 'oauth/mode',
    dependencies: [
      'operations/env',
      'operations/sampled-log',
      'operations/changed-settings',
      'operations/metrics',
      'operations/lifecycle',
      'forges/network',
      'sessions/sealer',
      'forges/troubles'
    ]
  }
)

function createMode(fastify: FastifyInstance): OAuthMode {
  const { config, network } = fastify
  const agent = userAgent()
  const { logins, checks } = ownConnections(fastify)
  const random = pooledRandom()
  const scopes = readScopes(config.FORGE_OAUTH_SCOPES)
  const facts = () => ({
    publicUrl: publicUrl(fastify),
    scopes,
    callbackProxy: config.FORGE_OAUTH_CALLBACK_PROXY,
    clientDocuments: config.FORGE_OAUTH_CLIENT_DOCUMENTS
  })
  const storage = storageOf(fastify, random)
  const forge = loginForge(fastify, logins, agent)
  const checker = credentialChecker(fastify, checks, agent)
  const credentials = new CredentialCache(async (credential, ...how) => {
    const verdict = await checker.ask(credential, ...how)
    if (verdict.user !== undefined) storage.nameUser(credential.token, verdict.user)
    return verdict
  })
  return {
    proxy: {
      storage,
      clients: new Clients(storage, documentFetch(fastify, agent)),
      forge,
      facts,
      hasApp: config.FORGE_OAUTH_APP_ID !== '',
      consent: config.FORGE_OAUTH_CONSENT,
      random,
      renewals: new Renewals()
    },
    credentials,
    checker,
    guard: new OAuthGuard(credentials, facts, uncheckedLog(fastify)),
    forgeUrl: forgeBase(network.home)
  }
}

/**
 * Connections for logins and for checks of credentials. The login has connections of its own, because it must get
 * through while tools, or checks of credentials, keep all others busy. There is one connection for each turn: otherwise
 * a caller could get its turn, and then still wait for a connection behind callers of another address.
 */
function ownConnections(fastify: FastifyInstance): Readonly<Record<'logins' | 'checks', Dispatcher>> {
  const connections = ({ limit }: GateLimits, own: { tunnelMs?: number } = {}) =>
    fastify.network.dispatcher('home', { bounds: { ...forgeBounds(limit), ...own } })
  const logins = connections(loginTurns)
  const checks = connections(checkLimits.all, { tunnelMs: checkLimits.tunnelMs })
  fastify.addHook('onClose', () => Promise.all([logins.destroy(), checks.destroy()]))
  return { logins, checks }
}

/** Where logins and registrations are kept: in memory or, in stateless mode, sealed into what clients hold. */
function storageOf({ config, sealer }: FastifyInstance, random: Random): OAuthStorage {
  const lifetimes = {
    client: config.OAUTH_STATELESS_CLIENT_TTL_SECONDS,
    pending: config.OAUTH_STATELESS_PENDING_TTL_SECONDS,
    grant: config.OAUTH_STATELESS_STORED_TTL_SECONDS
  }
  return sealer === undefined
    ? new MemoryOAuthStorage(lifetimes)
    : new SealedOAuthStorage(sealer, lifetimes, random)
}

/** Logs credentials that could not be checked: while the forge is down, each call causes such a failure. */
function uncheckedLog({ sampledLog }: FastifyInstance): ConstructorParameters<typeof OAuthGuard>[2] {
  const unchecked = sampledLog(
    'warn',
    { kind: 'of', more: 'more credentials could not be checked' },
    troubleSampling
  )
  return ({ at, by, cause: err }) =>
    unchecked.add(by, 'a credential could not be checked', () => ({ at, err }))
}

/**
 * The forge's side of logins. Failures there are counted and logged, and the application's secret may change while the
 * service runs.
 */
function loginForge(fastify: FastifyInstance, dispatcher: Dispatcher, agent: string): ForgeOAuth {
  const { config, metrics, network } = fastify
  const failed = fastify.sampledLog('warn', { kind: 'failure', more: 'more logins failed at the forge' })
  let appSecret = config.FORGE_OAUTH_APP_SECRET
  fastify.onNewSettings({
    variables: ['FORGE_OAUTH_APP_SECRET'],
    use(changed) {
      appSecret = changed.FORGE_OAUTH_APP_SECRET
    }
  })
  return new ForgeOAuth({
    base: forgeBase(network.home),
    appId: config.FORGE_OAUTH_APP_ID,
    appSecret: () => appSecret,
    dispatcher,
    userAgent: agent,
    onTrouble({ kind, reason, isBrought, cause: err }, { requestId, ip: address }) {
      metrics.loginFailures.count(kind)
      failed.add(isBrought ? `${kind}, as browsers say` : kind, 'login failed at the forge', () => ({
        err,
        requestId,
        address,
        reason
      }))
    }
  })
}

/**
 * The client that asks the forge about credentials. Its answers are measured. The log says when the forge does not
 * answer, and when it stops saying what it said before.
 */
function credentialChecker(
  fastify: FastifyInstance,
  dispatcher: Dispatcher,
  agent: string
): CredentialChecker {
  const { config, lifecycle, log, metrics, network } = fastify
  const apiUrl = network.home
  // Replicas of a forge may differ in their answers.
  const apps = fastify.sampledLog(
    'warn',
    { kind: 'isTold', more: 'more changes of whether bearers have to be of this application' },
    troubleSampling
  )
  const checker = new CredentialChecker(
    { apiUrl, appId: config.FORGE_OAUTH_APP_ID, dispatcher, userAgent: agent },
    {
      standstill: lifecycle.standstill,
      onExchange: (outcome, seconds) => metrics.upstream.onExchange(outcome, seconds, 'home'),
      onTrouble: (trouble, told) =>
        fastify.troubles.add(new URL(apiUrl).host, trouble, { ...told, isPlain: apiUrl.startsWith('http:') }),
      onCircuit: open =>
        log.warn(
          open
            ? 'forge not responding to credential checks, circuit opened'
            : 'forge responding to credential checks again, circuit closed'
        ),
      onAppTold: isTold =>
        apps.add(
          String(isTold),
          isTold
            ? 'bearers have to be of this application again'
            : 'the forge does not say of which application a bearer is: those of any are taken',
          () => ({ at: INFO_PATH })
        )
    }
  )
  metrics.watch(
    'credential_checks_silent_seconds',
    'For how long the forge of FORGE_API_URL has answered no check of a credential, from the first failure to the latest.',
    () => checker.silentMs / 1000
  )
  return checker
}

/** MCP_SERVER_URL; on a loopback HOST, the listening address is the default. */
function publicUrl({ config, server }: FastifyInstance): string {
  return ownBase(config, (server.address() as AddressInfo | null)?.port)
}

/** Fetches client documents over connections of its own, because strangers choose their URLs. */
function documentFetch(fastify: FastifyInstance, agent: string) {
  if (!fastify.config.FORGE_OAUTH_CLIENT_DOCUMENTS) return undefined
  const dispatcher = fastify.network.dispatcher('documents', documentDispatch)
  fastify.addHook('onClose', () => dispatcher.destroy())
  return (id: string, from: string) => fetchDocument(id, dispatcher, agent, from)
}
