import { addIssue } from '../../forge/model/make.ts'
import { type Job, unless } from '../job.ts'
import { ago, ROCKET, rocketOf, who } from '../world.ts'

/** What came in overnight: a title that says little, a text that says what it is about. */
const reports: readonly (readonly [title: string, text: string])[] = [
  ['It jumps', 'After a hold of twelve minutes the countdown jumps from 41 to 39 when it is resumed.'],
  ['Wrong at night', 'Since the time change the countdown shows an hour that has passed already.'],
  ['Number 40 is gone', 'When I hold and resume, the countdown goes from 41 to 39. The wall display agrees.'],
  [
    'Nothing arrives',
    'No packet reached the ground station between 02:10 and 02:13; the sender logs none lost.'
  ],
  [
    'Plots have holes',
    'Every plot has a hole of three seconds after each full hour, packets come twice before it.'
  ],
  ['Typo', 'The README says npm ic where it means npm ci, in the section on working on it.'],
  ['How do I abort?', 'The README does not say how a launch is aborted. I had to read the code to find out.'],
  [
    'Too warm',
    'Sensor S-07 in bay 2 reads 61 degrees at rest, the others 24. Somebody has to look at its cable.'
  ],
  ['Loose', 'The bracket of sensor S-11 can be moved by hand. It needs a new screw before the next test.'],
  [
    'Key in a log',
    'The key of the ground station stands in the log of the job of Tuesday. It should be rotated.'
  ]
]

/** How somebody who knows the project sorts them: by a word of the text. */
const rules: readonly (readonly [word: string, labels: readonly string[], person: string])[] = [
  ['countdown', ['bug', 'guidance'], 'linus'],
  ['packet', ['bug', 'telemetry'], 'linus'],
  ['README', ['documentation'], 'ada'],
  ['ensor', ['hardware'], 'grace'],
  ['key', ['security'], 'ada']
]

const STEPS =
  '\n\n### What I did\n\n1. Started the simulation with the settings of the last flight\n2. Waited for what is described above\n3. Looked at the same thing on the other console\n\n### What I expected\n\nWhat the manual says. It worked in the release before, as far as anybody here remembers.\n\n### Where\n\nStaging, version 1.5.0-dev, both consoles. I can show it to whoever takes this on.'

const FIRST = 'It jumps'
const SECOND = 'Number 40 is gone'

interface Issue {
  iid: number
  title: string
  description: string
}

const sorted = ({ description }: Pick<Issue, 'description'>) => {
  const rule = rules.find(([word]) => description.includes(word))
  if (rule === undefined) throw new Error(`nothing tells what this is about: ${description}`)
  return { labels: rule[1], person: rule[2] }
}

/** Both say that the count goes from 41 to 39; the later one is closed. */
const isAgain = (issue: Issue, all: readonly Issue[]): Issue | undefined =>
  all.find(
    other =>
      other.iid < issue.iid && [issue, other].every(({ description }) => description.includes('41 to 39'))
  )

export const triage: Job = {
  id: 'triage',
  title: 'Triage ten issues',
  task: 'Sort the open issues of acme/rocket that have no label: the labels that fit out of those there are (what is broken is a bug), linus for guidance and telemetry, grace for hardware, ada for the rest. Close what was reported before, with a note that names the first report.',
  as: 'ada',
  prepare: forge => {
    const rocket = rocketOf(forge)
    // What the sample has without a label would be the agent's, too.
    for (const issue of rocket.issues) if (issue.labels.length === 0) issue.labels.push('hardware')
    for (const [at, [title, text]] of reports.entries())
      addIssue(forge.state, rocket, {
        title,
        description: `${text}${STEPS}`,
        author: who(forge, at % 2 ? 'grace' : 'margaret'),
        createdAt: ago(12 - at)
      })
  },
  missing: forge => {
    const { issues } = rocketOf(forge)
    const first = issues.find(({ title }) => title === FIRST)!
    const again = issues.find(({ title }) => title === SECOND)!
    const facts: Record<string, boolean> = {
      'the second report is closed': again.state === 'closed' && first.state === 'opened',
      'its note names the first': again.discussions.some(({ notes }) =>
        notes.some(({ body }) => body.includes(`#${first.iid}`))
      )
    }
    for (const [title, text] of reports) {
      const issue = issues.find(issue => issue.title === title)!
      const { labels, person } = sorted({ description: text })
      facts[`${title}: labels`] = [...issue.labels].sort().join() === [...labels].sort().join()
      facts[`${title}: person`] = issue.assignees.map(({ username }) => username).join() === person
    }
    return unless(facts)
  },
  matter: {
    what: 'the title and the beginning of each report to be read',
    besides: 'Each issue of ours keeps its author, dates and web address, which lists are to show.',
    texts: () => reports.flatMap(([title, text]) => [title, `${text}${STEPS}`.slice(0, 250)])
  },
  ours: {
    toolsets: 'issues,planning',
    words: 'list issues; list labels; update issues; comment on issue',
    async run(call) {
      const issues: Issue[] = await call('list_issues', {
        project_id: ROCKET,
        labels: ['None'],
        state: 'opened',
        scope: 'all'
      })
      await call('list_labels', { project_id: ROCKET })
      const changes = issues.map(issue => {
        const { labels, person } = sorted(issue)
        const again = isAgain(issue, issues) !== undefined
        return {
          issue_iid: String(issue.iid),
          labels,
          assignee_ids: [person],
          ...(again && { state_event: 'close' })
        }
      })
      await call('update_issues', { project_id: ROCKET, issues: changes })
      for (const issue of issues) {
        const before = isAgain(issue, issues)
        if (before === undefined) continue
        const one = { project_id: ROCKET, issue_iid: String(issue.iid) }
        await call('create_issue_note', { ...one, body: `Reported before as #${before.iid}.` })
      }
    }
  },
  peer: {
    toolsets: 'issues,labels,users',
    async run(call) {
      const issues = await call('list_issues', {
        project_id: ROCKET,
        labels: ['None'],
        state: 'opened',
        scope: 'all'
      })
      await call('list_labels', { project_id: ROCKET })
      const ids = await call('get_users', { usernames: ['linus', 'grace', 'ada'] })
      for (const issue of issues) {
        const one = { project_id: ROCKET, issue_iid: String(issue.iid) }
        const { labels, person } = sorted(issue)
        const before = isAgain(issue, issues)
        if (before !== undefined)
          await call('create_issue_note', { ...one, body: `Reported before as #${before.iid}.` })
        await call('update_issue', {
          ...one,
          labels,
          assignee_ids: [ids[person].id],
          ...(before && { state_event: 'close' })
        })
      }
    }
  }
}
