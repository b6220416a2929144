import { type Job, unless } from '../job.ts'
import { ROCKET, rocketOf, who } from '../world.ts'

const PAGE = [
  '# Who joins us',
  '',
  '- [ ] Read the README and run the tests',
  '- [ ] Get a key of the ground station from margaret',
  '- [ ] Watch a countdown on staging',
  '- [ ] Take an issue with the label documentation',
  '- [ ] Say hello in the daily'
].join('\n')

const TITLE = 'Welcome, Edsger'

export const onboard: Job = {
  id: 'onboard',
  title: 'Onboarding',
  task: 'Edsger (edsger) joins acme/rocket as a developer until the end of June 2999. Give him access, and an issue "Welcome, Edsger" of his own with the checklist of the wiki page "Onboarding".',
  as: 'ada',
  prepare: forge => {
    const versions = new Map([[forge.state.hash('wiki', 'Onboarding'), PAGE]])
    rocketOf(forge).wiki.push({
      slug: 'Onboarding',
      title: 'Onboarding',
      format: 'markdown',
      content: PAGE,
      versions
    })
  },
  missing: forge => {
    const { members, issues } = rocketOf(forge)
    const member = members.get(who(forge, 'edsger').id)
    const issue = issues.find(({ title }) => title === TITLE)
    return unless({
      'he is a developer': member?.level === 30,
      'until the end of June': member?.expiresAt === '2999-06-30',
      'the issue is his': issue?.assignees[0]?.username === 'edsger',
      'it has the checklist': issue?.description?.includes('- [ ] Say hello in the daily')
    })
  },
  ours: {
    toolsets: 'issues,projects,wiki',
    words: 'add a member; read a wiki page; create issue',
    async run(call) {
      await call('set_member', {
        project_id: ROCKET,
        username: 'edsger',
        role: 'developer',
        expires_at: '2999-06-30'
      })
      const page = await call('get_wiki_page', { project_id: ROCKET, slug: 'Onboarding' })
      await call('create_issue', {
        project_id: ROCKET,
        title: TITLE,
        description: String(page.content ?? page),
        assignee_ids: ['edsger']
      })
    }
  },
  peer: {
    toolsets: 'issues,users,wiki',
    cannot: 'it has no tool that makes somebody a member, so this is the issue alone',
    async run(call) {
      const { edsger } = await call('get_users', { usernames: ['edsger'] })
      const { content } = await call('get_wiki_page', { project_id: ROCKET, slug: 'Onboarding' })
      await call('create_issue', {
        project_id: ROCKET,
        title: TITLE,
        description: content,
        assignee_ids: [edsger.id]
      })
    }
  }
}
