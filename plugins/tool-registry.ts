import fp from 'fastify-plugin'
import { Catalog, type CatalogSettings, type View } from '../src/catalog/catalog.ts'
import { type Config, entries } from '../src/config/schema.ts'
import { policyVariables } from '../src/config/settings-file.ts'
import { toolLike } from '../src/engine/other-tools.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Toolsets are added to it by the plugins of tools/. */
    readonly catalog: Catalog
    /** What the configuration switches on, which may change; asked for once every toolset is registered. */
    readonly baseView: () => View
  }
}

/** Decorates the catalog that the toolsets register with, under the operator's policy. */
export default fp(
  async fastify => {
    const { config } = fastify
    const catalog = new Catalog(policyOf(config))
    let view: View | undefined
    fastify.decorate('catalog', catalog)
    fastify.decorate('baseView', () => {
      view ??= catalog.viewOf(selection(config))
      return view
    })
    const withNearest = (name: string): string => {
      if (catalog.toolsets.some(({ id }) => id === name))
        return `${name} (a toolset, which FORGE_TOOLSETS takes)`
      const near = toolLike(
        name,
        catalog.usable(catalog.viewOf(['all'])).map(tool => tool.name)
      )
      return near === undefined ? name : `${name} (${near} may be meant)`
    }
    const problems = ({ FORGE_TOOLS }: Config): string[] => {
      const unknown = entries(FORGE_TOOLS).filter(name => catalog.find(name) === undefined)
      return unknown.length === 0
        ? []
        : [`FORGE_TOOLS names unknown tools: ${unknown.map(withNearest).join(', ')}.`]
    }
    const warnOfIdle = ({
      FORGE_DENIED_TOOLS_REGEX,
      FORGE_PROJECT_ID,
      FORGE_ALLOWED_PROJECT_IDS
    }: Config) => {
      const denied = new RegExp(FORGE_DENIED_TOOLS_REGEX)
      const isIdle = !catalog.toolsets.some(({ rows }) => rows.some(({ name }) => denied.test(name)))
      if (isIdle && FORGE_DENIED_TOOLS_REGEX !== '')
        fastify.log.warn('FORGE_DENIED_TOOLS_REGEX matches the name of no tool: it denies nothing.')
      const allowed = entries(FORGE_ALLOWED_PROJECT_IDS.toLowerCase())
      if (FORGE_PROJECT_ID !== '' && allowed.length > 0 && !allowed.includes(FORGE_PROJECT_ID.toLowerCase()))
        fastify.log.warn(
          'FORGE_PROJECT_ID is none of FORGE_ALLOWED_PROJECT_IDS, as it is written: calls that name no project are refused.'
        )
    }
    fastify.onNewSettings({
      variables: policyVariables,
      check: problems,
      use(changed) {
        catalog.renew(policyOf(changed))
        view = catalog.viewOf(selection(changed))
        warnOfIdle(changed)
      }
    })
    fastify.addHook('onReady', async () => {
      const [problem] = problems(config)
      if (problem !== undefined) throw new Error(problem)
      warnOfIdle(config)
    })
  },
  { fastify: '5.x', name: 'tool-registry', dependencies: ['env', 'changed-settings'] }
)

/** What the operator decides about tools. */
const policyOf = (config: Config): CatalogSettings => ({
  defaultProject: config.FORGE_PROJECT_ID,
  surface: config.FORGE_TOOL_SURFACE,
  readOnly: config.FORGE_READ_ONLY_MODE,
  extraTools: new Set(entries(config.FORGE_TOOLS)),
  denied: config.FORGE_DENIED_TOOLS_REGEX === '' ? undefined : new RegExp(config.FORGE_DENIED_TOOLS_REGEX),
  allowedProjects: entries(config.FORGE_ALLOWED_PROJECT_IDS),
  denySecretValues: config.FORGE_DENY_SECRET_VALUES,
  confirm: config.FORGE_CONFIRM,
  // Over HTTP anybody whose token a forge accepts writes to this machine.
  savesFiles: !config.STREAMABLE_HTTP || config.FORGE_DOWNLOAD_DIR !== ''
})

/** FORGE_TOOLSETS, or the default preset, with pipelines added by USE_PIPELINE. */
function selection({ FORGE_TOOLSETS, USE_PIPELINE }: Config): string[] {
  const named = entries(FORGE_TOOLSETS)
  const chosen = named.length > 0 ? named : ['default']
  return USE_PIPELINE ? [...chosen, 'pipelines'] : chosen
}
