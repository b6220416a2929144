import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { destination } from 'pino'
import { app } from './app.ts'
import { checkSettings, type Settings } from './config/load.ts'
import { startNotes } from './config/rules.ts'
import { logOptions } from './log.ts'

const BODY_LIMIT = 4 * 1024 * 1024

/** Longer than the idle time proxies keep their connections (ingress-nginx: 60 s), so that they close first. */
const KEEP_ALIVE_MS = 72_000

/** A caller's whole request must be in by then. */
const REQUEST_MS = 30_000

/**
 * Makes the server, ready but not listening.
 * @param settings variables as text; whatever is wrong with them is thrown as one ConfigError
 */
export async function createServer(settings: Settings): Promise<FastifyInstance> {
  const config = checkSettings(settings)
  const fastify = Fastify({
    // stdio owns the standard output, so that the log goes to the standard error there.
    logger: { ...logOptions(config), stream: destination(config.STREAMABLE_HTTP ? 1 : 2) },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A late request on a kept connection is still served while the server closes.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    genReqId: ({ headers }) => inboundId(headers['x-request-id']) ?? randomBytes(9).toString('base64url')
  })
  await fastify.register(app, { settings })
  await fastify.ready()
  for (const note of startNotes(config)) fastify.log.warn(note)
  return fastify
}

/** Listens on HOST and PORT. @returns the address, such as http://127.0.0.1:3000 */
export const listen = (fastify: FastifyInstance): Promise<string> =>
  fastify.listen({ host: fastify.config.HOST, port: fastify.config.PORT })

const inboundId = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined
