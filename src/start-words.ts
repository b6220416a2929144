import type { Catalog } from './catalog/catalog.ts'
import type { View } from './catalog/policy/view.ts'
import { type Config, factsOf } from './config/schema.ts'
import { withoutFile } from './config/secret-files.ts'
import { changeable, valuesOf } from './config/settings-file.ts'
import { bitOf } from './engine/rows/toolset-id.ts'
import { publicAddress, publicBase } from './server-address.ts'
import type { Network } from './upstream/connections/network.ts'
import { packageVersion } from './version.ts'

interface Started {
  readonly config: Config
  readonly hasHomeForge: boolean
  readonly network: Pick<Network, 'home'>
  readonly catalog: Catalog
  baseView(): View
}

/**
 * What a started server logs about itself: what it serves, where, and for whom.
 * @param address where it listens, or stdio
 */
export function startWords({ config, hasHomeForge, network, catalog, baseView }: Started, address: string) {
  const view = baseView()
  const tools = catalog.visible(view).length
  const notThere = withoutFile(config)
  const notDefault = changeable.filter(name => config[name] !== factsOf(name).default)
  const at = address === 'stdio' ? 'over stdio' : `at ${address}/mcp`
  const isPublic = config.STREAMABLE_HTTP && publicBase(config) !== undefined
  const facts = {
    version: packageVersion(),
    node: process.version,
    ...(hasHomeForge && { forge: network.home }),
    ...(isPublic && { clientsUse: publicAddress(config, '/mcp') }),
    callers: callersOf(config, hasHomeForge),
    // Another at the forge shows to nobody but the people who try to log in.
    ...(config.FORGE_MCP_OAUTH &&
      config.FORGE_OAUTH_CALLBACK_PROXY && { redirectUri: publicAddress(config, '/callback', address) }),
    ...(config.STREAMABLE_HTTP && {
      sessions: config.OAUTH_STATELESS_MODE ? 'sealed in ids, for any replica' : 'in memory'
    }),
    toolsets: catalog.toolsets.filter(({ id }) => (view.toolsets & bitOf(id)) !== 0).map(({ id }) => id),
    tools,
    ...(notDefault.length > 0 && { values: valuesOf(config, notDefault) }),
    ...(notThere.length > 0 && { filesNotThere: notThere }),
    ...(config.METRICS_PORT !== 0 && { metricsPort: config.METRICS_PORT })
  }
  const of = hasHomeForge ? ` of ${new URL(network.home).host}` : ''
  return { says: `serving ${tools} tools${of} ${at}`, facts }
}

function callersOf(config: Config, hasHomeForge: boolean): string {
  const { STREAMABLE_HTTP, FORGE_MCP_OAUTH, REMOTE_AUTHORIZATION, ENABLE_DYNAMIC_API_URL } = config
  if (!STREAMABLE_HTTP) return 'one, with FORGE_PERSONAL_ACCESS_TOKEN'
  if (FORGE_MCP_OAUTH) return 'log in at the forge'
  if (!REMOTE_AUTHORIZATION) return 'all with FORGE_PERSONAL_ACCESS_TOKEN'
  if (!ENABLE_DYNAMIC_API_URL) return 'bring a token'
  return hasHomeForge ? 'bring a token, and may name its forge' : 'bring a token and name its forge'
}
