import fp from 'fastify-plugin'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { PolicySettings } from '../../src/catalog/policy/policy.ts'
import type { View } from '../../src/catalog/policy/view.ts'
import { type Config, entries, projectsIn } from '../../src/config/schema.ts'
import { policyVariables } from '../../src/config/settings-file.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The plugins of tools/ add their toolsets to it. */
    readonly catalog: Catalog
    /**
     * The tools that the configuration, which may change, switches on. To be called once every toolset is registered.
     */
    readonly baseView: () => View
  }
}

/** Decorates the catalog in which the toolsets register, under the operator's policy. */
export default fp(
  async fastify => {
    const { config } = fastify
    const catalog = new Catalog(policyOf(config))
    const viewOf = ({ FORGE_TOOLSETS, USE_PIPELINE }: Config) =>
      catalog.policy.viewOf(entries(FORGE_TOOLSETS), USE_PIPELINE ? ['pipelines'] : [])
    let view: View | undefined
    fastify.decorate('catalog', catalog)
    fastify.decorate('baseView', () => {
      view ??= viewOf(config)
      return view
    })
    fastify.onNewSettings({
      variables: policyVariables,
      use(changed) {
        catalog.renew(policyOf(changed))
        view = viewOf(changed)
      }
    })
  },
  {
    fastify: '5.x',
    name: 'features/tool-registry',
    dependencies: ['operations/env', 'operations/changed-settings']
  }
)

/** The operator's decisions about tools. */
const policyOf = (config: Config): PolicySettings => ({
  defaultProject: config.FORGE_PROJECT_ID,
  surface: config.FORGE_TOOL_SURFACE,
  readOnly: config.FORGE_READ_ONLY_MODE,
  extraTools: new Set(entries(config.FORGE_TOOLS)),
  denied: config.FORGE_DENIED_TOOLS_REGEX === '' ? undefined : new RegExp(config.FORGE_DENIED_TOOLS_REGEX),
  allowedProjects: projectsIn(config.FORGE_ALLOWED_PROJECT_IDS),
  denySecretValues: config.FORGE_DENY_SECRET_VALUES,
  confirm: config.FORGE_CONFIRM,
  // Over HTTP, anybody whose token a forge accepts could write to this machine.
  savesFiles: !config.STREAMABLE_HTTP || config.FORGE_DOWNLOAD_DIR !== ''
})
