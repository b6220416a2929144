import { LEVEL, projectOf } from '../../access.ts'
import {
  bodyFlag,
  bodyText,
  type Call,
  notFound,
  type Operations,
  ok,
  queryFlag,
  queryText
} from '../../http.ts'
import { resolveRef } from '../../model/history.ts'
import type { JobPlan, Project } from '../../types.ts'

const yamlOf = (plans: readonly JobPlan[]) =>
  plans.map(({ name, stage }) => `${name}:\n  stage: ${stage}\n  script: [npm run ${name}]\n`).join('')

const presentJob = ({ name, stage, tags, allowFailure, environment }: JobPlan) => ({
  name,
  stage,
  before_script: [],
  script: [`npm run ${name}`],
  after_script: [],
  tag_list: tags ?? [],
  environment: environment ?? null,
  when: 'on_success',
  allow_failure: allowFailure ?? false,
  only: { refs: ['branches', 'tags'] },
  except: null,
  needs: null
})

/** A minimal check of the format: jobs start at the left edge, and each has a script. */
const errorsIn = (content: string): string[] => {
  if (content.includes('\t')) return ['(<unknown>): found character that cannot start any token']
  const blocks = content.split(/^(?=[\w-]+:)/m).filter(block => /^[\w-]+:/.test(block))
  const jobs = blocks.filter(block => !/^(stages|variables|include|default|workflow):/.test(block))
  if (jobs.length === 0) return ['jobs config should contain at least one visible job']
  return jobs
    .filter(job => !/^\s+(script|trigger|run):/m.test(job))
    .map(job => `jobs:${job.split(':')[0]} config should implement the script:, run:, or trigger: keyword`)
}

const result = (project: Project, errors: string[], yaml: string, withJobs: boolean) => ({
  valid: errors.length === 0,
  errors,
  warnings: [],
  merged_yaml: yaml,
  includes: [
    {
      type: 'local',
      location: '.gitlab-ci.yml',
      blob: 'x',
      raw: 'y',
      extra: {},
      context_project: `${project.group.path}/${project.path}`,
      context_sha: project.branches.get(project.defaultBranch)?.sha ?? null
    }
  ],
  ...(withJobs ? { jobs: errors.length > 0 ? [] : project.ci.map(presentJob) } : {})
})

const lintFile = (call: Call) => {
  const project = projectOf(call)
  if (project.commits.size === 0) throw notFound('Repository')
  const ref = queryText(call, 'content_ref') ?? project.defaultBranch
  if (!resolveRef(project, ref)) throw notFound('Commit')
  const errors = project.ci.length === 0 ? ['Please provide content of .gitlab-ci.yml'] : []
  return ok(result(project, errors, yamlOf(project.ci), queryFlag(call, 'include_jobs')))
}

export const lintOperations: Operations = {
  lint_project_ci: lintFile,
  lint_ci_content: call => {
    const project = projectOf(call, LEVEL.developer)
    const content = bodyText(call, 'content') ?? ''
    return ok(result(project, errorsIn(content), content, bodyFlag(call, 'include_jobs') ?? false))
  }
}
