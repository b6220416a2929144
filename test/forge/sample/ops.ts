import type { ForgeState } from '../state.ts'
import type { CiVariable, Project } from '../types.ts'
import { person } from './people.ts'

const DAY = 86_400_000

const variable = (key: string, value: string, parts: Partial<CiVariable> = {}): CiVariable => ({
  key,
  value,
  type: 'env_var',
  scope: '*',
  protected: false,
  masked: false,
  hidden: false,
  raw: false,
  description: null,
  ...parts
})

/** Variables, a schedule, runners, a package and an image of acme/rocket. */
export const addOps = (state: ForgeState, rocket: Project) => {
  const ago = (days: number) => new Date(state.now() - days * DAY).toISOString()
  const { ops } = rocket
  ops.variables.push(
    variable('DEPLOY_TOKEN', 'deploy-0123456789', { masked: true, protected: true }),
    variable('STAGE_URL', 'https://staging.acme.example', { scope: 'staging' }),
    variable('STAGE_URL', 'https://acme.example', { scope: 'production' })
  )
  rocket.group.ops.variables.push(variable('REGION', 'moon'))
  ops.schedules.push({
    id: state.nextId('schedule'),
    description: 'Nightly flight',
    ref: 'refs/heads/main',
    cron: '0 2 * * *',
    timezone: 'UTC',
    active: true,
    owner: person(state, 'margaret'),
    createdAt: ago(90),
    updatedAt: ago(30),
    inputs: [],
    variables: [{ key: 'FULL', value: 'yes-all-of-it', variable_type: 'env_var' }],
    lastPipeline: null
  })
  state.runners.push(
    {
      id: state.nextId('runner'),
      description: 'shared-runner-4.acme.example',
      type: 'instance_type',
      status: 'online',
      paused: false,
      tags: ['docker'],
      version: '18.9.0',
      token: 'glrt-sandbox-1',
      owner: null
    },
    {
      id: state.nextId('runner'),
      description: 'launch-pad',
      type: 'group_type',
      status: 'stale',
      paused: true,
      tags: ['hardware', 'docker'],
      version: '17.11.1',
      token: 'glrt-sandbox-2',
      owner: person(state, 'margaret')
    }
  )
  for (const version of ['1.4.0', '1.4.1'])
    ops.packages.push({
      id: state.nextId('package'),
      name: '@acme/rocket',
      version,
      type: 'npm',
      createdAt: ago(20),
      pipeline: rocket.pipelines[0] ?? null,
      protected: version === '1.4.0',
      files: ['package.tgz', 'package.tgz.sig'].map(name => ({
        id: state.nextId('packageFile'),
        name,
        size: 2048,
        sha256: state.hash(name, version)
      }))
    })
  ops.images.push({
    id: state.nextId('image'),
    name: 'engine',
    createdAt: ago(60),
    tags: ['1.4.0', '1.4.1', 'latest'].map(name => ({
      name,
      digest: `sha256:${state.hash('image', name === 'latest' ? '1.4.1' : name)}`,
      size: 31_457_280,
      createdAt: ago(20),
      protected: name === '1.4.0'
    }))
  })
}
