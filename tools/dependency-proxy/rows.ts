import { Type } from 'typebox'
import { flag, optional, secret, text } from '../../src/catalog/fields.ts'
import { custom, rest, type ToolRow } from '../../src/catalog/row.ts'
import { atLeastOne } from '../../src/engine/checks.ts'
import { CallProblem } from '../../src/engine/problem.ts'
import { Blobs, readBlobs } from './blobs.ts'
import { fullPathOf } from './group.ts'
import { changeSettings, readSettings, Settings } from './settings.ts'

const GroupId = text()

export const dependencyProxyRows: readonly ToolRow[] = [
  custom({
    name: 'get_dependency_proxy_settings',
    class: 'read',
    title: 'Dependency proxy',
    summary: "Get a group's settings, size and cleanup policy.",
    input: Type.Object({ group_id: GroupId }),
    output: Settings,
    idempotent: true,
    run: async ({ group_id }, context) => ({
      value: await readSettings(await fullPathOf(group_id, context), context)
    })
  }),
  custom({
    name: 'update_dependency_proxy_settings',
    class: 'write',
    title: 'Update dependency proxy',
    summary: 'Turn it on or off, or set its Docker Hub credentials.',
    input: Type.Object({
      group_id: GroupId,
      enabled: optional(flag()),
      identity: optional(text()),
      secret: optional(secret())
    }),
    output: Settings,
    check: [atLeastOne('enabled', 'identity', 'secret')],
    idempotent: true,
    async run({ group_id, ...change }, context) {
      const path = await fullPathOf(group_id, context)
      await changeSettings(path, change, context)
      try {
        return { value: await readSettings(path, context) }
      } catch (error) {
        throw new CallProblem(
          `The settings were changed. Reading them back failed: ${(error as Error).message}`
        )
      }
    }
  }),
  custom({
    name: 'list_dependency_proxy_blobs',
    class: 'read',
    title: 'Dependency proxy blobs',
    summary: 'List the cached blobs.',
    input: Type.Object({
      group_id: GroupId,
      first: optional(Type.Integer({ minimum: 1, maximum: 100 })),
      after: optional(text('pageInfo.endCursor'))
    }),
    output: Blobs,
    idempotent: true,
    run: async ({ group_id, ...part }, context) => ({
      value: await readBlobs(await fullPathOf(group_id, context), part, context)
    })
  }),
  rest({
    name: 'purge_dependency_proxy_cache',
    class: 'destructive',
    title: 'Purge dependency proxy',
    summary: 'Delete all cached manifests and blobs.',
    input: Type.Object({ group_id: GroupId }),
    output: Type.Object({ status: Type.String(), message: Type.String() }),
    advice: {
      403: 'Only an owner of the group may purge the cache.',
      404: 'Check the group; the forge may also lack the feature.',
      409: 'It was asked for already: older forges take one request an hour.'
    },
    request: 'DELETE /groups/{group_id}/dependency_proxy/cache',
    done: 'The purge of the cache is scheduled; it runs in the background.'
  })
]
