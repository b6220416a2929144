import { push } from '../../forge/model/history.ts'
import { addMergeRequest } from '../../forge/model/make.ts'
import { changesOf, merge } from '../../forge/model/merge-requests.ts'
import { type Job, unless } from '../job.ts'
import { ago, filesOf, ROCKET, replaced, rocketOf, who } from '../world.ts'

const TITLE = 'Close the socket when nothing is left to send'
const FILE = 'src/telemetry.ts'
const TARGET = 'release/1.4'
const BRANCH = 'backport-7'

/** The file as it is to be: what a unified diff adds, after the line that it follows. */
function applied(text: string, diff: string): string {
  const before: string[] = []
  const after: string[] = []
  for (const row of diff.split('\n')) {
    if (row === '' || row.startsWith('@@')) continue
    if (!row.startsWith('+')) before.push(row.slice(1))
    if (!row.startsWith('-')) after.push(row.slice(1))
  }
  return replaced(text, before.join('\n'), after.join('\n'))
}

export const backport: Job = {
  id: 'backport',
  title: 'Backport',
  task: 'Bring !7 of acme/rocket to release/1.4, too: a branch backport-7 with its change, and a merge request to release/1.4.',
  as: 'ada',
  prepare: forge => {
    const { state } = forge
    const rocket = rocketOf(forge)
    const [linus, main] = [who(forge, 'linus'), filesOf(forge)]
    const files = {
      ...main,
      [FILE]: replaced(
        main[FILE],
        'export const send',
        'export const stop = () => socket.close()\n\nexport const send'
      )
    }
    const from = rocket.branches.get('main')!.sha
    push(state, rocket, 'fix/socket', { message: TITLE, author: linus, files, from, at: ago(8) })
    const request = addMergeRequest(state, rocket, {
      title: TITLE,
      author: linus,
      labels: ['bug', 'telemetry'],
      sourceBranch: 'fix/socket',
      targetBranch: 'main',
      createdAt: ago(8)
    })
    merge(state, request, who(forge, 'ada'), {
      mergeMessage: null,
      squashMessage: null,
      squash: false,
      removeSource: true
    })
  },
  missing: forge => {
    const { mergeRequests } = rocketOf(forge)
    const made = mergeRequests.find(
      ({ targetBranch, state }) => targetBranch === TARGET && state === 'opened'
    )
    const changed = made ? changesOf(made).map(({ newPath }) => newPath) : []
    return unless({
      'a merge request is open': made?.sourceBranch === BRANCH,
      'it changes the one file': changed.join() === FILE,
      'the change is in it': filesOf(forge, BRANCH)[FILE]?.includes('socket.close()')
    })
  },
  ours: {
    toolsets: 'merge_requests',
    words: 'backport merge request',
    async run(call) {
      await call('backport_merge_request', {
        project_id: ROCKET,
        merge_request_iid: '7',
        target_branch: TARGET,
        branch: BRANCH
      })
    }
  },
  peer: {
    toolsets: 'merge_requests,branches,repositories',
    async run(call) {
      const one = { project_id: ROCKET, merge_request_iid: '7' }
      const diffs = await call('get_merge_request_diffs', one)
      await call('create_branch', { project_id: ROCKET, branch: BRANCH, ref: TARGET })
      const files = []
      for (const { new_path, diff } of diffs) {
        const { content } = await call('get_file_contents', {
          project_id: ROCKET,
          file_path: new_path,
          ref: TARGET
        })
        files.push({ action: 'update', file_path: new_path, content: applied(content, diff) })
      }
      await call('push_files', { project_id: ROCKET, branch: BRANCH, commit_message: 'Backport !7', files })
      await call('create_merge_request', {
        project_id: ROCKET,
        title: `${TITLE} (1.4)`,
        description: 'Backport of !7.',
        source_branch: BRANCH,
        target_branch: TARGET
      })
    }
  }
}
