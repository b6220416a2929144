import type { FastifyPluginCallback } from 'fastify'
import type { Toolset } from '../src/engine/rows/toolset.ts'
import { ci } from './ci/index.ts'
import { dependencyProxy } from './dependency-proxy/index.ts'
import { discoverTools } from './discovery/index.ts'
import { searchSurface } from './discovery/search-surface.ts'
import { issues } from './issues/index.ts'
import { mergeRequests } from './merge-requests/index.ts'
import { people } from './people/index.ts'
import { pipelines } from './pipelines/index.ts'
import { planning } from './planning/index.ts'
import { toolsetPlugin } from './plugin.ts'
import { projects } from './projects/index.ts'
import { registry } from './registry/index.ts'
import { releases } from './releases/index.ts'
import { repository } from './repository/index.ts'
import { search } from './search/index.ts'
import { security } from './security/index.ts'
import { snippets } from './snippets/index.ts'
import { webhooks } from './webhooks/index.ts'
import { wiki } from './wiki/index.ts'
import { workItems } from './work-items/index.ts'

/** Every toolset, in the order in which their tools are listed. */
export const toolsets: readonly Toolset[] = [
  mergeRequests,
  issues,
  pipelines,
  dependencyProxy,
  repository,
  projects,
  people,
  search,
  planning,
  ci,
  releases,
  wiki,
  registry,
  workItems,
  security,
  webhooks,
  snippets
]

/** The toolsets as Fastify plugins, which add them to the registry. */
export const toolsetPlugins: readonly FastifyPluginCallback[] = toolsets.map(toolsetPlugin)

/** The names of all tools, including those outside toolsets. */
export const toolNames: readonly string[] = [
  ...toolsets.flatMap(({ rows }) => rows),
  discoverTools,
  ...searchSurface
].map(({ name }) => name)
