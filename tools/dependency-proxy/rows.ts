import { Type } from 'typebox'
import { atLeastOne } from '../../src/engine/rows/checks.ts'
import { flag, groupId, optional, secret, text } from '../../src/engine/rows/fields.ts'
import { graphql, rest, type ToolRow } from '../../src/engine/rows/row.ts'
import { Blobs, blobsOf } from './blobs.ts'
import { blobsQuery, settingsQuery, updateMutation } from './documents.ts'
import { ofGroup } from './group.ts'
import { readBack, Settings, settingsOf } from './settings.ts'

const GroupId = groupId()

/** The notice about values that were set and do not appear in the record: the forge never returns them. */
function unseen(args: Readonly<Record<string, unknown>>): string | undefined {
  const set = ['identity', 'secret'].filter(name => (args[name] ?? '') !== '')
  return set.length === 0 ? undefined : `The forge took ${set.join(' and ')}, and never shows what is set.`
}

export const dependencyProxyRows: readonly ToolRow[] = [
  graphql({
    name: 'get_dependency_proxy_settings',
    class: 'read',
    title: 'Dependency proxy',
    summary: "Get a group's settings, size and cleanup policy.",
    input: Type.Object({ group_id: GroupId }),
    output: Settings,
    document: settingsQuery,
    variables: ofGroup,
    shape: (data, { group_id }) => settingsOf(data, group_id)
  }),
  graphql({
    name: 'update_dependency_proxy_settings',
    class: 'write',
    title: 'Update dependency proxy',
    summary: 'Turn it on or off, or set its Docker Hub credentials.',
    input: Type.Object({
      group_id: GroupId,
      enabled: optional(flag()),
      identity: optional({ ...text('Docker Hub user'), ofSecret: true }),
      secret: optional(secret('Docker Hub token'))
    }),
    output: Settings,
    check: [atLeastOne('enabled', 'identity', 'secret')],
    idempotent: true,
    document: updateMutation,
    variables: async ({ group_id, ...change }, context) => ({
      input: { groupPath: (await ofGroup({ group_id }, context)).fullPath, ...change }
    }),
    payload: 'updateDependencyProxySettings',
    shape: (_, args, context) => readBack(args, context),
    notice: (_, args) => unseen(args)
  }),
  graphql({
    name: 'list_dependency_proxy_blobs',
    class: 'read',
    title: 'Dependency proxy blobs',
    summary: 'List the cached blobs.',
    input: Type.Object({
      group_id: GroupId,
      first: optional(Type.Integer({ minimum: 1, maximum: 100 })),
      after: optional(text('endCursor of the page before'))
    }),
    output: Blobs,
    document: blobsQuery,
    variables: async ({ group_id, ...part }, context) => ({
      ...(await ofGroup({ group_id }, context)),
      ...part
    }),
    shape: (data, { group_id }) => blobsOf(data, group_id)
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
    undo: 'The cache fills again as it is used.',
    done: 'The purge of the cache is scheduled; it runs in the background.'
  })
]
