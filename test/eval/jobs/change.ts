import { push } from '../../forge/model/history.ts'
import { type Job, unless } from '../job.ts'
import { ago, filesOf, ROCKET, replaced, rocketOf, who } from '../world.ts'

const BRANCH = 'port-4041'
const TITLE = 'Send telemetry to port 4041'

const GUIDE = `# The ground station

${Array.from(
  { length: 30 },
  (_, at) =>
    `## Step ${at + 1}\n\nSwitch on console ${at + 1} and wait until its lamp is green. Where it stays red, tell whoever is on duty.\n`
).join('\n')}
## Packets

They come by UDP on port 4040 of ground.acme.example; the firewall lets nothing else through.
`

const moved = (text: string) => replaced(text, '4040', '4041')

export const change: Job = {
  id: 'change',
  title: 'Find code and change it',
  task: 'The ground station moves from port 4040 to 4041. Change it wherever acme/rocket names it, on a branch port-4041, and open a merge request to main.',
  as: 'linus',
  prepare: forge => {
    const files = { ...filesOf(forge), 'docs/ground-station.md': GUIDE }
    push(forge.state, rocketOf(forge), 'main', {
      message: 'Describe the ground station',
      author: who(forge, 'ada'),
      files,
      at: ago(50)
    })
  },
  missing: forge => {
    const { mergeRequests } = rocketOf(forge)
    const files = filesOf(forge, BRANCH)
    const made = mergeRequests.find(({ sourceBranch }) => sourceBranch === BRANCH)
    return unless({
      'no file names the old port': Object.values(files).every(text => !text.includes('4040')),
      'both files name the new one': ['src/telemetry.ts', 'docs/ground-station.md'].every(path =>
        files[path]?.includes('4041')
      ),
      'nothing else of the guide changed': files['docs/ground-station.md']?.replace('4041', '4040') === GUIDE,
      'a merge request is open': made?.state === 'opened' && made.targetBranch === 'main'
    })
  },
  ours: {
    toolsets: 'merge_requests,repository',
    words: 'search code; commit files; create merge request',
    async run(call) {
      const hits = await call('search_code', { project_id: ROCKET, query: '4040' })
      await call('commit_files', {
        project_id: ROCKET,
        branch: BRANCH,
        start_branch: 'main',
        commit_message: TITLE,
        actions: hits.map(({ path, data }: { path: string; data: string }) => {
          const find = data.split('\n').find(row => row.includes('4040')) ?? ''
          return { action: 'edit', file_path: path, edits: [{ find, replace: moved(find) }] }
        })
      })
      await call('create_merge_request', {
        project_id: ROCKET,
        title: TITLE,
        source_branch: BRANCH,
        target_branch: 'main'
      })
    }
  },
  peer: {
    toolsets: 'merge_requests,branches,repositories,search',
    async run(call) {
      const found = await call('search_project_code', { project_id: ROCKET, search: '4040' })
      const hits: { path: string }[] = found.items ?? found.results ?? found
      const files = []
      for (const file_path of new Set(hits.map(({ path }) => path))) {
        const { content } = await call('get_file_contents', { project_id: ROCKET, file_path, ref: 'main' })
        files.push({ action: 'update', file_path, content: moved(content) })
      }
      await call('create_branch', { project_id: ROCKET, branch: BRANCH, ref: 'main' })
      await call('push_files', { project_id: ROCKET, branch: BRANCH, commit_message: TITLE, files })
      await call('create_merge_request', {
        project_id: ROCKET,
        title: TITLE,
        source_branch: BRANCH,
        target_branch: 'main'
      })
    }
  }
}
