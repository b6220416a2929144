import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { runTable } from '../../support/tool-table.ts'

const one = { project_id: '1', merge_request_iid: '12' }
const open = 'GET /projects/1/merge_requests?state=opened&per_page=5&source_branch=fix'
const byBranch = { request: open, reply: { body: [{ iid: 12 }] } }
const chosen = 'source_branch "fix" is merge request 12.'
const diffs = 'GET /projects/1/merge_requests/12/diffs'

const entry = (old_path: string, new_path = old_path) => ({
  diff: '@@ -1 +1 @@',
  old_path,
  new_path,
  a_mode: '100644',
  new_file: false,
  deleted_file: false,
  renamed_file: old_path !== new_path
})
const paths = (old_path: string, new_path = old_path) => ({
  old_path,
  new_path,
  ...(old_path !== new_path && { renamed_file: true })
})
const shown = (old_path: string, new_path = old_path) => ({
  ...paths(old_path, new_path),
  diff: '@@ -1 +1 @@'
})
const files = [entry('src/a.ts'), entry('docs/old.md', 'src/b.ts'), entry('package-lock.json')]
const filesShown = [shown('src/a.ts'), shown('docs/old.md', 'src/b.ts'), shown('package-lock.json')]

runTable(mergeRequests, [
  {
    title: 'gives the changes of the merge request and does not send view, which the forge does not know',
    tool: 'get_merge_request_diffs',
    args: { ...one, view: 'parallel' },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12/changes', reply: { body: { iid: 12, changes: files } } }
    ],
    result: filesShown,
    notices: []
  },
  {
    title: 'leaves out files whose old or new path matches a pattern, found by branch',
    tool: 'get_merge_request_diffs',
    args: { project_id: '1', source_branch: 'fix', excluded_file_patterns: ['^docs/', '-lock\\.json$'] },
    exchanges: [
      byBranch,
      { request: 'GET /projects/1/merge_requests/12/changes', reply: { body: { changes: files } } }
    ],
    result: [filesShown[0]],
    notices: [chosen, 'excluded_file_patterns left out 2 of 3 files: "src/b.ts", "package-lock.json".']
  },
  {
    title: 'says what is left out by a glob, which matches more as the regular expression that it is',
    tool: 'get_merge_request_diffs',
    args: { ...one, excluded_file_patterns: ['src/*', '.json'] },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12/changes', reply: { body: { changes: [files[0]] } } }
    ],
    result: [],
    notices: [
      'excluded_file_patterns left out 1 of 1 files: "src/a.ts". They are regular expressions: "src/*" means ^src/ if it is a glob, ".json" means \\.json(/|$) if it is a glob.'
    ]
  },
  {
    title: 'names a file that is left out whole, with the full stop at its end',
    tool: 'get_merge_request_diffs',
    args: { ...one, excluded_file_patterns: ['^etc'] },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12/changes',
        reply: { body: { changes: [{ ...files[0], old_path: 'etc.', new_path: 'etc.' }] } }
      }
    ],
    result: [],
    notices: ['excluded_file_patterns left out 1 of 1 files: "etc.".']
  },
  {
    title: 'says that patterns leave out no file',
    tool: 'get_branch_diffs',
    args: { project_id: '1', from: 'a', to: 'b', excluded_file_patterns: ['^none/'] },
    exchanges: [
      {
        request: 'GET /projects/1/repository/compare?from=a&to=b',
        reply: { body: { commits: [], diffs: [files[0]] } }
      }
    ],
    notices: ['excluded_file_patterns left out 0 of 1 files.']
  },
  {
    title: 'tries no pattern on a path that is longer than any',
    tool: 'list_merge_request_changed_files',
    args: { ...one, excluded_file_patterns: ['^docs/'] },
    exchanges: [
      {
        request: `${diffs}?per_page=100&page=1`,
        reply: {
          body: ['docs/a', `docs/${'a'.repeat(4_096)}`].map(path => ({ old_path: path, new_path: path }))
        }
      }
    ],
    result: [paths(`docs/${'a'.repeat(4_096)}`)]
  },
  {
    title: 'says when the forge left diffs out',
    tool: 'get_merge_request_diffs',
    args: one,
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12/changes',
        reply: { body: { changes: [], overflow: true } }
      }
    ],
    result: [],
    notices: ['The forge left diffs out because there are too many: page through list_merge_request_diffs.']
  },
  {
    title: 'does not show an answer without changes as no changes',
    tool: 'get_merge_request_diffs',
    args: one,
    exchanges: [{ request: 'GET /projects/1/merge_requests/12/changes', reply: { body: { iid: 12 } } }],
    error: "The forge's answer has no list of changes."
  },
  {
    title: 'quotes a pattern that is none',
    tool: 'get_merge_request_diffs',
    args: { ...one, excluded_file_patterns: ['(a'] },
    exchanges: [
      { request: 'GET /projects/1/merge_requests/12/changes', reply: { body: { changes: files } } }
    ],
    error: /^excluded_file_patterns: "\(a" is not a regular expression/
  },
  ...[
    'get_merge_request_diffs',
    'list_merge_request_changed_files',
    'list_merge_request_diffs',
    'get_merge_request_file_diff'
  ].map(tool => ({
    title: 'needs a number or a branch',
    tool,
    args: { project_id: '1', ...(tool === 'get_merge_request_file_diff' && { file_paths: ['a'] }) },
    error: 'Invalid arguments: give merge_request_iid or source_branch.'
  })),
  {
    title: 'reads all pages for the paths alone, as long as the forge names a next one',
    tool: 'list_merge_request_changed_files',
    args: { project_id: '1', source_branch: 'fix', excluded_file_patterns: ['^docs/'] },
    exchanges: [
      byBranch,
      {
        request: `${diffs}?per_page=100&page=1`,
        reply: { body: [files[0], files[1]], headers: { 'x-next-page': '2' } }
      },
      { request: `${diffs}?per_page=100&page=2`, reply: { body: [files[2]], headers: { 'x-next-page': '' } } }
    ],
    result: [paths('src/a.ts'), paths('package-lock.json')],
    notices: [chosen, 'excluded_file_patterns left out 1 of 3 files: "src/b.ts".']
  },
  {
    title: 'names a file by its path alone whose mode is changed, with both modes',
    tool: 'list_merge_request_changed_files',
    args: one,
    exchanges: [
      {
        request: `${diffs}?per_page=100&page=1`,
        reply: {
          body: [
            { ...files[0], b_mode: '100755' },
            { ...files[2], b_mode: '100644' }
          ]
        }
      }
    ],
    result: [{ ...paths('src/a.ts'), a_mode: '100644', b_mode: '100755' }, paths('package-lock.json')]
  },
  {
    title: 'takes the next page from a Link header where there is no x-next-page',
    tool: 'list_merge_request_changed_files',
    args: { ...one, excluded_file_patterns: [] },
    exchanges: [
      {
        request: `${diffs}?per_page=100&page=1`,
        reply: { body: [files[0]], headers: { link: '<https://x/diffs?page=2&per_page=100>; rel="next"' } }
      },
      { request: `${diffs}?per_page=100&page=2`, reply: { body: [] } }
    ],
    result: [paths('src/a.ts')]
  },
  {
    title: 'does not read a page twice when the forge names an earlier one as next',
    tool: 'list_merge_request_changed_files',
    args: one,
    exchanges: [
      {
        request: `${diffs}?per_page=100&page=1`,
        reply: { body: [files[0]], headers: { 'x-next-page': '1' } }
      }
    ],
    result: [paths('src/a.ts')]
  },
  {
    title: 'says that there is more when the list is longer than the ceiling',
    tool: 'list_merge_request_changed_files',
    args: one,
    exchanges: Array.from({ length: 50 }, (_, at) => ({
      request: `${diffs}?per_page=100&page=${at + 1}`,
      reply: { body: [entry(`${at}`)], headers: { 'x-next-page': String(at + 2) } }
    })),
    result: Array.from({ length: 50 }, (_, at) => paths(`${at}`)),
    notices: ['Only the first 50 records were read; the forge has more.']
  },
  {
    title: 'does not take an answer that is no list for an empty one',
    tool: 'list_merge_request_changed_files',
    args: one,
    exchanges: [{ request: `${diffs}?per_page=100&page=1`, reply: { body: { message: 'odd' } } }],
    error: 'The forge gave no list, but said: "odd".'
  },
  {
    title: 'lists one page of diffs by branch',
    tool: 'list_merge_request_diffs',
    args: { project_id: '1', source_branch: 'fix', page: 2, per_page: 1, unidiff: true },
    exchanges: [
      byBranch,
      {
        request: `${diffs}?page=2&per_page=1&unidiff=true`,
        reply: { body: [files[1]], headers: { 'x-next-page': '3' } }
      }
    ],
    result: [filesShown[1]],
    notices: [{ pagination: { next_page: 3 } }, chosen]
  },
  {
    title: 'sends no unidiff that was not asked for, as older forges do not know it',
    tool: 'list_merge_request_diffs',
    args: one,
    exchanges: [{ request: diffs, reply: { body: [] } }],
    result: []
  },
  {
    title: 'reads pages until every wanted file is found, by old or new path',
    tool: 'get_merge_request_file_diff',
    args: { ...one, file_paths: ['docs/old.md', 'src/a.ts', 'src/a.ts'], unidiff: false },
    exchanges: [
      {
        request: `${diffs}?unidiff=false&per_page=100&page=1`,
        reply: { body: [files[0]], headers: { 'x-next-page': '2' } }
      },
      {
        request: `${diffs}?unidiff=false&per_page=100&page=2`,
        reply: { body: [files[2], files[1]], headers: { 'x-next-page': '3' } }
      }
    ],
    result: [filesShown[0], filesShown[1]],
    notices: []
  },
  {
    title: 'gives what is found and says what is not',
    tool: 'get_merge_request_file_diff',
    args: { project_id: '1', source_branch: 'fix', file_paths: ['src/b.ts', 'src/"c".ts'] },
    exchanges: [byBranch, { request: `${diffs}?per_page=100&page=1`, reply: { body: files } }],
    result: [filesShown[1]],
    notices: [
      chosen,
      'Not changed by this merge request: "src/\\"c\\".ts". list_merge_request_changed_files gives the paths.'
    ]
  },
  {
    title: 'takes files by their address and with lines, and says which have a name that it does not find',
    tool: 'get_merge_request_file_diff',
    args: {
      ...one,
      project_id: 'a/b',
      file_paths: [
        'src/a.ts#L14',
        'https://forge.example/a/b/-/blob/main/src/b.ts#L2-3',
        'lib/Package-Lock.json'
      ]
    },
    exchanges: [
      {
        request: `${diffs.replace('/1/', '/a%2Fb/')}?per_page=100&page=1`,
        reply: { body: files }
      }
    ],
    result: [filesShown[0], filesShown[1]],
    notices: [
      'The lines after a path in file_paths are not looked at: each file is taken as a whole.',
      'Not changed by this merge request: "lib/Package-Lock.json" (perhaps "package-lock.json"). list_merge_request_changed_files gives the paths.'
    ]
  },
  {
    title: 'shows a diff that is too long as far as there is room, and says what has the file',
    tool: 'get_merge_request_file_diff',
    args: { ...one, file_paths: ['a'] },
    settings: { maxChars: 1000 },
    exchanges: [
      {
        request: `${diffs}?per_page=100&page=1`,
        reply: { body: [{ old_path: 'a', new_path: 'a', diff: 'y'.repeat(2000) }] }
      }
    ],
    result: [{ old_path: 'a', new_path: 'a', diff: `${'y'.repeat(927)}… [1073 more]` }],
    notices: [
      'get_file_contents at the source branch has the file whose diff is cut.',
      'Result cut at 1000 characters: long texts end early. What a diff leaves out is in the file itself, before and after the change.'
    ]
  },
  {
    title: 'names at most twenty missing files',
    tool: 'get_merge_request_file_diff',
    args: { ...one, file_paths: Array.from({ length: 22 }, (_, at) => `f${at}`) },
    exchanges: [{ request: `${diffs}?per_page=100&page=1`, reply: { body: [] } }],
    result: [],
    notices: [
      `Not changed by this merge request: ${Array.from({ length: 20 }, (_, at) => `"f${at}"`).join(', ')} and 2 more. list_merge_request_changed_files gives the paths.`
    ]
  },
  {
    title: 'stops at the ceiling and does not say that the file is not changed',
    tool: 'get_merge_request_file_diff',
    args: { ...one, file_paths: ['x'] },
    exchanges: Array.from({ length: 50 }, (_, at) => ({
      request: `${diffs}?per_page=100&page=${at + 1}`,
      reply: { body: [entry(`${at}`)], headers: { 'x-next-page': String(at + 2) } }
    })),
    result: [],
    notices: [
      'Not among the first 50 changed files (there are more): "x". list_merge_request_changed_files gives the paths.'
    ]
  },
  {
    title: 'needs at least one path',
    tool: 'get_merge_request_file_diff',
    args: { ...one, file_paths: [] },
    error: 'Invalid arguments: file_paths must have at least 1 item.'
  },
  {
    title: 'lists all versions',
    tool: 'list_merge_request_versions',
    args: one,
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12/versions?per_page=100&page=1',
        reply: { body: [{ id: 3, patch_id_sha: null }], headers: { 'x-next-page': '2' } }
      },
      {
        request: 'GET /projects/1/merge_requests/12/versions?per_page=100&page=2',
        reply: { body: [{ id: 2 }] }
      }
    ],
    result: [{ id: 3 }, { id: 2 }],
    notices: []
  },
  {
    title: 'gets one version',
    tool: 'get_merge_request_version',
    args: { ...one, version_id: 3, unidiff: true },
    exchanges: [
      {
        request: 'GET /projects/1/merge_requests/12/versions/3?unidiff=true',
        reply: { body: { id: 3, commits: [], diffs: [] } }
      }
    ],
    result: { id: 3, commits: [], diffs: [] }
  },
  {
    title: 'needs a version',
    tool: 'get_merge_request_version',
    args: one,
    error: 'Invalid arguments: version_id is required.'
  },
  {
    title: 'compares two branches and filters the diffs alone',
    tool: 'get_branch_diffs',
    args: {
      project_id: '1',
      from: 'main',
      to: 'fix/leak',
      straight: true,
      excluded_file_patterns: ['lock']
    },
    exchanges: [
      {
        request: 'GET /projects/1/repository/compare?from=main&to=fix%2Fleak&straight=true',
        reply: { body: { commits: [{ id: 'abc' }], diffs: files, compare_timeout: false } }
      }
    ],
    result: { commits: [{ id: 'abc' }], diffs: [filesShown[0], filesShown[1]] },
    notices: ['excluded_file_patterns left out 1 of 3 files: "package-lock.json".']
  },
  {
    title: 'says that a comparison is not complete',
    tool: 'get_branch_diffs',
    args: { project_id: '1', from: 'a', to: 'b' },
    exchanges: [
      {
        request: 'GET /projects/1/repository/compare?from=a&to=b',
        reply: { body: { diffs: [], compare_timeout: true } }
      }
    ],
    notices: ['The forge ran out of time over this comparison: its diffs are not complete.']
  },
  {
    title: 'says of a comparison the wrong way round why it is empty',
    tool: 'get_branch_diffs',
    args: { project_id: '1', from: 'main', to: 'v1.0' },
    exchanges: [
      {
        request: 'GET /projects/1/repository/compare?from=main&to=v1.0',
        reply: { body: { commits: [], diffs: [], compare_timeout: false } }
      }
    ],
    notices: ['to has nothing that from lacks; the other way round there may be something.']
  },
  {
    title: 'needs both ends',
    tool: 'get_branch_diffs',
    args: { project_id: '1', to: 'b' },
    error: 'Invalid arguments: from is required.'
  }
])
