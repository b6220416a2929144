import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { DestinationStream } from 'pino'
import atWork from '../plugins/edge/at-work.ts'
import bodyBudget from '../plugins/edge/body-budget.ts'
import connections from '../plugins/edge/connections.ts'
import hostGuard from '../plugins/edge/host-guard.ts'
import loadShedding from '../plugins/edge/load-shedding.ts'
import localhost from '../plugins/edge/localhost.ts'
import notFound from '../plugins/edge/not-found.ts'
import pageHeaders from '../plugins/edge/page-headers.ts'
import completionRegistry from '../plugins/features/completion-registry.ts'
import downloads from '../plugins/features/downloads.ts'
import promptRegistry from '../plugins/features/prompt-registry.ts'
import resourceRegistry from '../plugins/features/resource-registry.ts'
import toolRegistry from '../plugins/features/tool-registry.ts'
import toolRunner from '../plugins/features/tool-runner.ts'
import network from '../plugins/forges/network.ts'
import troubles from '../plugins/forges/troubles.ts'
import upstream from '../plugins/forges/upstream.ts'
import bearerGuard from '../plugins/mcp/bearer-guard.ts'
import callSession from '../plugins/mcp/call-session.ts'
import mcpCors from '../plugins/mcp/cors.ts'
import mcpHeaders from '../plugins/mcp/headers.ts'
import jsonBody from '../plugins/mcp/json-body.ts'
import jsonRpcErrors from '../plugins/mcp/json-rpc-errors.ts'
import mcpService from '../plugins/mcp/service.ts'
import sessionForge from '../plugins/mcp/session-forge.ts'
import sessionLimit from '../plugins/mcp/session-limit.ts'
import oauthErrors from '../plugins/oauth/errors.ts'
import oauthLimits from '../plugins/oauth/limits.ts'
import loginBody from '../plugins/oauth/login-body.ts'
import oauth from '../plugins/oauth/mode.ts'
import navigations from '../plugins/oauth/navigations.ts'
import openCors from '../plugins/oauth/open-cors.ts'
import loginSteps from '../plugins/oauth/steps.ts'
import changedSettings from '../plugins/operations/changed-settings.ts'
import env from '../plugins/operations/env.ts'
import lifecycle from '../plugins/operations/lifecycle.ts'
import lostLines from '../plugins/operations/lost-lines.ts'
import metrics from '../plugins/operations/metrics.ts'
import pressure from '../plugins/operations/pressure.ts'
import refusalLog from '../plugins/operations/refusal-log.ts'
import requestId from '../plugins/operations/request-id.ts'
import sampledLog from '../plugins/operations/sampled-log.ts'
import tracing from '../plugins/operations/tracing.ts'
import health from '../plugins/routes/health.ts'
import homeRoutes from '../plugins/routes/home.ts'
import mcp from '../plugins/routes/mcp.ts'
import mcpMethods from '../plugins/routes/mcp-methods.ts'
import metricsRoutes from '../plugins/routes/metrics.ts'
import oauthRoutes from '../plugins/routes/oauth.ts'
import oauthBrowserRoutes from '../plugins/routes/oauth-browser.ts'
import registrationRoutes from '../plugins/routes/registration.ts'
import wellKnown from '../plugins/routes/well-known.ts'
import callerNames from '../plugins/sessions/caller-names.ts'
import sealer from '../plugins/sessions/sealer.ts'
import sessions from '../plugins/sessions/store.ts'
import triedTokens from '../plugins/sessions/tried-tokens.ts'
import discovery from '../tools/discovery/index.ts'
import { toolNames, toolsetPlugins } from '../tools/index.ts'
import type { Settings } from './config/load.ts'
import type { LogStream } from './log/log-stream.ts'
import { formBody, metadataBody } from './oauth/endpoints/body-kinds.ts'

export { toolNames } from '../tools/index.ts'

interface AppOptions {
  /** The variables as they were given. */
  readonly given: Settings
  /** The same, with secrets and settings from files. */
  readonly settings: Settings
  /** Where the log goes. */
  readonly lines: DestinationStream & Partial<Pick<LogStream, 'lost' | 'failing'>>
}

/**
 * The whole service as one Fastify plugin: the only file that knows all parts. Where a route is registered decides who
 * can reach it.
 */
const parts: FastifyPluginAsync<AppOptions> = async (fastify, { given, settings, lines }) => {
  await fastify.register(env, { settings })
  await fastify.register(sampledLog)
  await fastify.register(metrics)
  await fastify.register(lostLines, { lines })
  await fastify.register(changedSettings, { given, settings, tools: toolNames })
  await fastify.register(refusalLog)
  await fastify.register(atWork)
  await fastify.register(connections)
  await fastify.register(localhost)
  await fastify.register(tracing)
  await fastify.register(requestId)
  await fastify.register(notFound)
  await fastify.register(lifecycle)
  await fastify.register(pressure)
  await fastify.register(troubles)
  await fastify.register(network)
  await fastify.register(sealer)
  await fastify.register(sessions)
  await fastify.register(upstream)
  await fastify.register(oauth)
  await fastify.register(toolRegistry)
  for (const toolset of toolsetPlugins) await fastify.register(toolset)
  await fastify.register(discovery)
  await fastify.register(promptRegistry)
  if (fastify.prompts !== undefined) await fastify.register((await import('../prompts/index.ts')).default)
  await fastify.register(resourceRegistry)
  if (fastify.resources !== undefined) await fastify.register((await import('../resources/index.ts')).default)
  await fastify.register(downloads)
  await fastify.register(triedTokens)
  await fastify.register(callerNames)
  await fastify.register(toolRunner, { lines })
  await fastify.register(completionRegistry)
  if (fastify.completions !== undefined)
    await fastify.register((await import('../completions/index.ts')).default)
  await fastify.register(mcpService)
  await fastify.register(openRoutes)
  if (fastify.oauth !== undefined) await fastify.register(loginRoutes)
  await fastify.register(mcpRoutes)
}

/** What is read without a credential: probes, metrics and the pages for people. */
const openRoutes: FastifyPluginAsync = async read => {
  await read.register(pageHeaders)
  await read.register(health)
  await read.register(async scrapes => {
    await scrapes.register(hostGuard, { anyAddress: true })
    await scrapes.register(metricsRoutes)
  })
  await read.register(async people => {
    await people.register(hostGuard, { anyOrigin: true })
    await people.register(homeRoutes)
  })
}

/** The steps of a login, in a browser and from scripts. */
const loginRoutes: FastifyPluginAsync = async login => {
  await login.register(oauthErrors)
  await login.register(hostGuard, { anyOrigin: true })
  await login.register(oauthLimits)
  await login.register(loginSteps)
  await login.register(bodyBudget)
  await login.register(async browsers => {
    await browsers.register(loadShedding)
    await browsers.register(navigations)
    await browsers.register(loginBody, formBody)
    await browsers.register(oauthBrowserRoutes)
  })
  await login.register(async scripts => {
    await scripts.register(pageHeaders)
    await scripts.register(openCors)
    // These documents are constant; without them a page's client would think that this service offers no login.
    await scripts.register(wellKnown)
    await scripts.register(async calls => {
      await calls.register(loadShedding)
      await calls.register(async forms => {
        await forms.register(loginBody, formBody)
        await forms.register(oauthRoutes)
      })
      await calls.register(async registrations => {
        await registrations.register(loginBody, metadataBody)
        await registrations.register(registrationRoutes)
      })
    })
  })
}

/** `/mcp`: nothing outside the guarded scope can serve MCP. */
const mcpRoutes: FastifyPluginAsync = async open => {
  await open.register(jsonRpcErrors)
  await open.register(mcpHeaders)
  await open.register(hostGuard)
  await open.register(mcpCors)
  // After CORS, so that a page can read why it was refused.
  await open.register(loadShedding)
  await open.register(mcpMethods)

  await open.register(async guarded => {
    await guarded.register(bodyBudget)
    await guarded.register(jsonBody)
    await guarded.register(bearerGuard)
    await guarded.register(sessionLimit)
    await guarded.register(sessionForge)
    await guarded.register(callSession)
    await guarded.register(mcp)
  })
}

/** The whole service as one plugin; its options are AppOptions. */
export const app = fp(parts, { fastify: '5.x', name: 'forge-tool-server' })
