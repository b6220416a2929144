import type { FastifyPluginCallback } from 'fastify'
import type { Toolset } from '../src/engine/rows/toolset.ts'
import ciPlugin, { ci } from './ci/index.ts'
import dependencyProxyPlugin, { dependencyProxy } from './dependency-proxy/index.ts'
import { discoverTools } from './discovery/index.ts'
import { searchSurface } from './discovery/search-surface.ts'
import issuesPlugin, { issues } from './issues/index.ts'
import mergeRequestsPlugin, { mergeRequests } from './merge-requests/index.ts'
import peoplePlugin, { people } from './people/index.ts'
import pipelinesPlugin, { pipelines } from './pipelines/index.ts'
import planningPlugin, { planning } from './planning/index.ts'
import projectsPlugin, { projects } from './projects/index.ts'
import registryPlugin, { registry } from './registry/index.ts'
import releasesPlugin, { releases } from './releases/index.ts'
import repositoryPlugin, { repository } from './repository/index.ts'
import searchPlugin, { search } from './search/index.ts'
import securityPlugin, { security } from './security/index.ts'
import snippetsPlugin, { snippets } from './snippets/index.ts'
import webhooksPlugin, { webhooks } from './webhooks/index.ts'
import wikiPlugin, { wiki } from './wiki/index.ts'
import workItemsPlugin, { workItems } from './work-items/index.ts'

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

/** The same as Fastify plugins, which add them to the registry. */
export const toolsetPlugins: readonly FastifyPluginCallback[] = [
  mergeRequestsPlugin,
  issuesPlugin,
  pipelinesPlugin,
  dependencyProxyPlugin,
  repositoryPlugin,
  projectsPlugin,
  peoplePlugin,
  searchPlugin,
  planningPlugin,
  ciPlugin,
  releasesPlugin,
  wikiPlugin,
  registryPlugin,
  workItemsPlugin,
  securityPlugin,
  webhooksPlugin,
  snippetsPlugin
]

/** The names of all tools, including those outside toolsets. */
export const toolNames: readonly string[] = [
  ...toolsets.flatMap(({ rows }) => rows),
  discoverTools,
  ...searchSurface
].map(({ name }) => name)
