import type { Forge } from '../../forge/index.ts'
import { push } from '../../forge/model/history.ts'
import { addMergeRequest } from '../../forge/model/make.ts'
import { merge } from '../../forge/model/merge-requests.ts'
import { type Job, unless } from '../job.ts'
import { ago, filesOf, ROCKET, rocketOf, who } from '../world.ts'

const changes = [
  ['Keep the last reading of each sensor', 'linus'],
  ['Stop the pumps before the valves', 'ada'],
  ['Log in one format', 'linus'],
  ['Explain how to abort a launch', 'grace']
] as const

const addMerged = (forge: Forge, [title, author]: (typeof changes)[number], at: number) => {
  const { state } = forge
  const rocket = rocketOf(forge)
  const branch = `change-${at}`
  const files = { ...filesOf(forge), [`docs/change-${at}.md`]: `# ${title}\n` }
  const from = rocket.branches.get('main')!.sha
  push(state, rocket, branch, { message: title, author: who(forge, author), files, from, at: ago(40 - at) })
  const request = addMergeRequest(state, rocket, {
    title,
    description: `${title}, as we said when we planned it.`,
    author: who(forge, author),
    sourceBranch: branch,
    targetBranch: 'main',
    milestone: rocket.milestones[0] ?? null,
    createdAt: ago(40 - at)
  })
  merge(state, request, who(forge, 'ada'), {
    mergeMessage: null,
    squashMessage: null,
    squash: false,
    removeSource: true
  })
  Object.assign(request, { mergedAt: ago(30 - at), updatedAt: ago(30 - at) })
}

interface Merged {
  iid: number
  title: string
  author: { username: string }
}

const notes = (merged: readonly Merged[]): string =>
  merged.map(({ iid, title, author }) => `- ${title} (!${iid}, @${author.username ?? author})`).join('\n')

export const release: Job = {
  id: 'release',
  title: 'Release',
  task: 'Release v1.5.0 of acme/rocket from main: its notes list each merge request that was merged since the last release, with number and author. It is what milestone 1.5 was for, which is closed with it.',
  as: 'ada',
  prepare: forge => {
    const rocket = rocketOf(forge)
    for (const request of rocket.mergeRequests)
      if (request.state === 'merged') Object.assign(request, { mergedAt: ago(400), updatedAt: ago(400) })
    rocket.releases.push({
      tag: 'v1.4.0',
      name: 'Rocket 1.4',
      description:
        'The first release with telemetry.\n\n- Send packets to the ground station (!12, @linus)\n- Hold and resume the countdown (!9, @grace)\n- Burn by the second (!4, @ada)',
      author: who(forge, 'margaret'),
      createdAt: ago(300),
      releasedAt: ago(300),
      milestones: [],
      links: []
    })
    for (const [at, change] of changes.entries()) addMerged(forge, change, at)
  },
  missing: forge => {
    const { releases, milestones, mergeRequests, repository } = rocketOf(forge)
    const made = releases.find(({ tag }) => tag === 'v1.5.0')
    const numbers = changes.map(
      ([title]) => `!${mergeRequests.find(request => request.title === title)!.iid},`
    )
    return unless({
      'it is released': made !== undefined,
      'its tag is there': repository.tags.has('v1.5.0'),
      'the notes name what was merged': numbers.every(number => made?.description.includes(number)),
      'the notes name nothing else': made?.description.split('\n').length === changes.length,
      'it has its milestone': made?.milestones[0]?.title === '1.5',
      'the milestone is closed': milestones.find(({ title }) => title === '1.5')?.state === 'closed'
    })
  },
  ours: {
    toolsets: 'releases,planning',
    words: 'create release; close a milestone',
    async run(call) {
      await call('create_release', {
        project_id: ROCKET,
        tag_name: 'v1.5.0',
        ref: 'main',
        generate_notes: true,
        milestones: ['1.5']
      })
      await call('update_milestone', { project_id: ROCKET, milestone_id: '1.5', state_event: 'close' })
    }
  },
  peer: {
    toolsets: 'merge_requests,releases,milestones',
    async run(call) {
      const [last] = await call('list_releases', { project_id: ROCKET, per_page: 1 })
      const merged = await call('list_merge_requests', {
        project_id: ROCKET,
        state: 'merged',
        target_branch: 'main',
        updated_after: last.released_at
      })
      await call('create_release', {
        project_id: ROCKET,
        tag_name: 'v1.5.0',
        ref: 'main',
        description: notes(merged),
        milestones: ['1.5']
      })
      const [milestone] = await call('list_milestones', { project_id: ROCKET, title: '1.5' })
      await call('edit_milestone', {
        project_id: ROCKET,
        milestone_id: String(milestone.id),
        state_event: 'close'
      })
    }
  }
}
