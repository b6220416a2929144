import fp from 'fastify-plugin'
import { Completions } from '../../src/completions/completions.ts'
import { policyVariables } from '../../src/config/settings-file.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** completions/ adds its sources here. Undefined if neither prompts nor resources are offered. */
    readonly completions: Completions | undefined
  }
}

/** Decorates the completion of arguments of prompts and resources. */
export default fp(
  async fastify => {
    const { catalog, prompts, resources, toolCalls } = fastify
    const isWanted = prompts !== undefined || resources !== undefined
    fastify.decorate('completions', isWanted ? new Completions(catalog, toolCalls) : undefined)
    fastify.onNewSettings({ variables: policyVariables, use: () => fastify.completions?.forget() })
  },
  {
    fastify: '5.x',
    name: 'features/completion-registry',
    dependencies: [
      'operations/changed-settings',
      'features/prompt-registry',
      'features/resource-registry',
      'features/tool-registry',
      'features/tool-runner'
    ]
  }
)
