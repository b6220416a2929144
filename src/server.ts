import type { AddressInfo } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import type { DestinationStream } from 'pino'
import { app, toolNames } from './app.ts'
import { listenFault } from './config/listen-fault.ts'
import type { Settings } from './config/load.ts'
import { entries } from './config/schema.ts'
import { type Loaded, loadSettings } from './config/secret-files.ts'
import { noStore } from './edge/answers/no-store.ts'
import { refuseUnreadable } from './edge/answers/unreadable.ts'
import { trustedProxies } from './edge/callers/trusted-proxies.ts'
import { BACKLOG, connectionLimits } from './edge/connections/connection-limits.ts'
import { FairTurns } from './fairness/fair-turns.ts'
import { turnShares } from './fairness/turn-shares.ts'
import { logOptions, startLog } from './log/log.ts'
import { logStream } from './log/log-stream.ts'
import { maxBodyBytes } from './protocol/messages/body-refusals.ts'
import { pooledRandom } from './seal/random.ts'
import { addressFor } from './server-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether an address is that of a proxy in `MCP_TRUST_PROXY`. */
    isProxy(address: string): boolean
  }
}

/** The server with everything that plugins decorate it with. */
export type Server = FastifyInstance

/** Milliseconds in which a caller's headers must arrive. */
const HEADERS_MS = 15_000

/** Milliseconds between checks for connections that are late. */
const CHECK_MS = 1_000

/**
 * Loads settings, and creates the server with them, as by `serverWith`.
 * @param given variables as text
 * @throws ConfigError, for all problems with them at once
 */
export const createServer = async (given: Settings, log?: DestinationStream): Promise<FastifyInstance> =>
  serverWith(await loadSettings(given, { tools: toolNames }), log)

/**
 * Creates the server, ready but not listening. Files of settings are not read for it: who has checked them and reports
 * on them speaks of those that are used.
 * @param log where the log goes; stdio needs the standard output, so the log then goes to the standard error
 */
export async function serverWith(
  { given, settings, config, notes }: Loaded,
  log?: DestinationStream
): Promise<FastifyInstance> {
  const lines = log ?? logStream(config.STREAMABLE_HTTP ? 1 : 2)
  const random = pooledRandom()
  const late = new FairTurns(turnShares.late)
  const isProxy = trustedProxies(proxyAddress.compile(entries(config.MCP_TRUST_PROXY)))
  const fastify: FastifyInstance = Fastify({
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    logger: { ...logOptions(config), stream: lines },
    logController: new LogController({ disableRequestLogging: true }),
    // Lines of a request name it by requestId; a logger for each request would cost more than the lines do.
    childLoggerFactory: logger => logger,
    bodyLimit: maxBodyBytes,
    ...(config.MCP_TRUST_PROXY !== '' && { trustProxy: isProxy }),
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS },
    requestTimeout: connectionLimits.requestMs,
    keepAliveTimeout: config.KEEP_ALIVE_SECONDS * 1000,
    // A late request on a kept-alive connection is still served while the server closes.
    return503OnClosing: false,
    clientErrorHandler(error, socket) {
      const refuse = () => {
        const refusal = refuseUnreadable(error as Error, socket, fastify.connections.isShared(socket))
        if (refusal !== undefined) fastify.refusedUnreadable(socket, refusal)
      }
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return refuse()
      // Node looks for late requests once a second, and finds a thousand at once.
      const { holder, isArriving } = fastify.connections.late(socket)
      late.run(holder, () => isArriving() && refuse())
    },
    // Fastify's own message repeats the path.
    frameworkErrors(_error, _request, reply) {
      const said = { statusCode: 400, message: 'The request target is no URL.' }
      void (reply as FastifyReply).code(said.statusCode).headers(noStore).send(said)
    },
    forceCloseConnections: 'idle',
    // The routes that read a query do so by themselves (src/edge/requests/target.ts).
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
    genReqId: ({ headers }) => inboundId(headers['x-request-id']) ?? random(9).toString('base64url')
  })
  fastify.decorate('isProxy', isProxy)
  await fastify.register(app, { given, settings, lines })
  await fastify.ready()
  const sayer = startLog(fastify.log, config)
  for (const note of notes) sayer.warn(note)
  return fastify
}

/** Replaces Fastify's schema compilers, which take long to load: input is checked by the protocol that reads it. */
function noSchemas(): never {
  throw new Error('A route has a schema, for which src/server.ts gives Fastify no compiler.')
}

/**
 * Listens on HOST and PORT.
 * @returns the address, such as http://127.0.0.1:3000
 * @throws Error that names what to change
 */
export async function listen(fastify: FastifyInstance): Promise<string> {
  const { HOST, PORT } = fastify.config
  try {
    const address = await fastify.listen({ host: await addressFor(HOST), port: PORT, backlog: BACKLOG })
    const [place] = fastify.addresses() as readonly (AddressInfo | undefined)[]
    // Fastify names the first address of the machine, and none where HOST is 0.0.0.0 and it has none of IPv4.
    return (address as string | undefined) ?? `http://${HOST}:${place?.port ?? PORT}`
  } catch (error) {
    throw listenFault(error, { host: HOST, port: PORT, variable: 'PORT' })
  }
}

const inboundId = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined
