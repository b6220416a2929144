import type { ForgeState } from '../state.ts'
import type { Deployment, Environment, Project } from '../types.ts'
import { presentJob } from './pipeline.ts'
import { presentProjectIdentity, projectUrl } from './project.ts'
import { presentUser } from './user.ts'

const slug = (name: string) => name.replaceAll(/[^a-z0-9]+/g, '-')

const presentEnvironmentBasic = (environment: Environment) => ({
  id: environment.id,
  name: environment.name,
  slug: slug(environment.name),
  external_url: environment.externalUrl,
  created_at: environment.createdAt,
  updated_at: environment.updatedAt
})

export const presentDeployment = (state: ForgeState, deployment: Deployment) => ({
  id: deployment.id,
  iid: deployment.iid,
  ref: deployment.ref,
  sha: deployment.sha,
  created_at: deployment.createdAt,
  updated_at: deployment.updatedAt,
  user: presentUser(state, deployment.user),
  environment: presentEnvironmentBasic(deployment.environment),
  deployable: deployment.job ? presentJob(state, deployment.job) : null,
  status: deployment.status
})

export const presentDeploymentExtended = (state: ForgeState, deployment: Deployment) => ({
  ...presentDeployment(state, deployment),
  pending_approval_count: 0,
  approvals: [],
  approval_summary: { rules: [] }
})

export const presentEnvironment = (state: ForgeState, project: Project, environment: Environment) => ({
  ...presentEnvironmentBasic(environment),
  tier: environment.tier,
  project: {
    ...presentProjectIdentity(project),
    default_branch: project.defaultBranch,
    web_url: projectUrl(state, project),
    avatar_url: null
  },
  state: environment.state,
  auto_stop_at: null,
  cluster_agent: null,
  kubernetes_namespace: null,
  flux_resource_path: null,
  description: null,
  auto_stop_setting: 'always'
})

/** A single environment, which also contains its last deployment. */
export const presentEnvironmentFull = (state: ForgeState, project: Project, environment: Environment) => {
  const last = project.deployments.findLast(deployment => deployment.environment === environment)
  return {
    ...presentEnvironment(state, project, environment),
    last_deployment: last ? presentDeployment(state, last) : null
  }
}
