import t from 'tap'
import { Type } from 'typebox'
import { completions } from '../../completions/index.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { candidatesIn } from '../../src/completions/source.ts'
import { argumentReader } from '../../src/engine/arguments/arguments.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { LineWindow } from '../../src/engine/files/line-window.ts'
import { nearestLine } from '../../src/engine/files/nearest-line.ts'
import { ProjectLimit } from '../../src/engine/project-limit.ts'
import { planner } from '../../src/engine/requests/plan.ts'
import { markdown, oneOf } from '../../src/engine/rows/fields.ts'
import { revision } from '../../src/engine/rows/revisions.ts'
import { rest } from '../../src/engine/rows/row.ts'
import { suggestionStep } from '../../src/engine/suggestions/step.ts'
import { elisionBudget, elisionsIn, firstNew } from '../../src/engine/texts/elisions.ts'
import { leftActionsStep } from '../../src/engine/texts/left-actions.ts'
import { noQuickActions, quickActionIn, textCheck } from '../../src/engine/texts/quick-actions.ts'
import { windowOf } from '../../src/engine/texts/window-of.ts'
import { webUrlStep } from '../../src/engine/web-urls/step.ts'
import { thingsStep } from '../../src/engine/web-urls/things.ts'
import { readWebUrl } from '../../src/engine/web-urls/web-url.ts'
import { shapeOf } from '../../src/json/shape.ts'
import { metricsFormat } from '../../src/metrics/negotiate.ts'
import { readNonces } from '../../src/oauth/endpoints/browser-cookie.ts'
import { isOwnResource } from '../../src/oauth/rules/metadata.ts'
import { withoutOwnToken } from '../../src/protocol/exchange/own-token.ts'
import { messageShape } from '../../src/protocol/messages/message-text.ts'
import { readAccept } from '../../src/protocol/transport/accept.ts'
import { hostPolicy } from '../../src/protocol/transport/host-policy.ts'
import { cleanText } from '../../src/results/clean.ts'
import { maskedUrl } from '../../src/results/masked-url.ts'
import { problemResult, resultJson, writeResult } from '../../src/results/result.ts'
import { quoted } from '../../src/results/visible.ts'
import { nextHop } from '../../src/upstream/answers/redirect.ts'
import { forgeWordsOf, MAX_ERROR_BYTES, saidOf, titleOf } from '../../src/upstream/answers/said.ts'
import { ForgeStatusError } from '../../src/upstream/errors.ts'
import { toolsets } from '../../tools/index.ts'
import { patchText } from '../../tools/issues/description-patch/patch-text.ts'
import { DiffReader } from '../../tools/merge-requests/diffs/diff-lines.ts'
import { PatchFiles } from '../../tools/merge-requests/diffs/patch-files.ts'
import { draftTitle } from '../../tools/merge-requests/draft-title.ts'
import { changesOf } from '../../tools/merge-requests/review/changes.ts'
import { threadsOf } from '../../tools/merge-requests/review/threads.ts'
import { listArchive } from '../../tools/pipelines/archives/archive-listing.ts'
import { readArtifactFile } from '../../tools/pipelines/archives/artifact-file.ts'
import { excerptOf } from '../../tools/pipelines/diagnosis/log-excerpt.ts'
import { LogTail } from '../../tools/pipelines/logs/log-tail.ts'
import { measured, shareOut } from '../../tools/repository/share-out.ts'
import { readPage } from '../../tools/wiki/read-page.ts'
import { zipOf } from '../forge/model/zip.ts'
import { type HeldRow, holdNoLonger } from '../support/event-loop.ts'
import { inTurns } from '../support/in-turns.ts'

/*
 * How long one call may hold the event loop, whoever wrote what it works on. One row for each place where that is
 * decided by what a caller or a forge sends, as bad as it can be made; bounds are in tens of milliseconds of a
 * machine of 2023 (see yardstick).
 */

const MB = 1024 * 1024
const filled = (part: string, chars: number): string => part.repeat(Math.floor(chars / part.length))
const list = (count: number, item: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join('\n')

const stayed = leftActionsStep(Type.Object({ body: markdown() }))!

const block = (search: string, replacement: string): string =>
  `<<<<<<< SEARCH\n${search}\n=======\n${replacement}\n>>>>>>> REPLACE`
/** As of dry_run: the patch and what is shown of it. */
const patched = (patch_type: 'search_replace' | 'unified_diff', text: string, patch: string) => () =>
  patchText(text, { patch_type, patch, allow_multiple: true }).preview()

const flips = (one: string, other: string): string =>
  list(900, at => (at % 2 ? block(other, one) : block(one, other)))
const farHunks = list(2000, at => `@@ -${at % 2 ? 1 : 45_000},2 +1,2 @@\n \n-x\n+y`)

const read = argumentReader(
  Type.Object({
    labels: Type.Array(Type.String()),
    ids: Type.Array(Type.Integer()),
    position: Type.Object({ sha: Type.String() }),
    state: oneOf(['opened', 'closed'])
  })
)
const plan = planner({ request: 'GET /projects/{project_id}/branches/{.branch}/{+file_path}' })
const inPath = (name: string, text: string) => () => {
  const args = { project_id: '1', branch: 'main', file_path: 'a', [name]: text }
  plan(args, args)
}

const FORGE = 'https://forge.example'
const place = { project_id: Type.Optional(Type.String()), issue_iid: Type.Optional(Type.String()) }
const inProject = (project_id: string) => () => webUrlStep(Type.Object(place))({ project_id }, FORGE)
const getIssue = rest({
  name: 'get_issue',
  class: 'read',
  title: '',
  summary: '',
  input: Type.Object(place),
  request: 'GET /projects/{project_id}/issues/{issue_iid}'
})
const asThing = (args: Record<string, string>) => () => {
  try {
    thingsStep(getIssue)(args, { forge: { webUrl: FORGE }, mayRun: () => true }, { said: [], unused: [] })
  } catch {
    // What it says is not looked at here.
  }
}

/** Different letters: turning a host of them into Punycode takes a time that grows with their square. */
const letters = (count: number): string =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
const origins = hostPolicy({
  HOST: '127.0.0.1',
  MCP_SERVER_URL: '',
  MCP_ALLOWED_HOSTS: '',
  MCP_ALLOWED_ORIGINS: '',
  FORGE_PERSONAL_ACCESS_TOKEN: ''
})
/** As many as fit into the headers of a request. */
const manyLetters = encodeURIComponent(letters(1_750))
const longOrigins = (header: string) => () => {
  for (let at = 0; at < 100; at++) origins.origin(header)
}
const hop = { origin: FORGE, path: '/api/v4/projects' }

/** A refusal as long as one is told, of two branches. */
const lookNear = suggestionStep(Type.Object({ from: revision(), to: revision() }))!
const refused = (words: string) => () =>
  lookNear(new ForgeStatusError(404, filled(words, 2_000)), { from: 'a', to: 'b' }, {
    mayRun: () => false
  } as unknown as ToolContext)

const catalog = new Catalog()
for (const toolset of toolsets) catalog.add(toolset)
const everything = catalog.policy.viewOf(['all'])
catalog.search('issue', everything, 1)
const halves = Array.from({ length: 40 }, () => '\ud800'.repeat(40_000))
const manyRecords = Array.from({ length: 800_000 }, () => ({ a: 'b' }))
const manyNamed = `{"message":[${filled('{"a":{}},', MAX_ERROR_BYTES - 20)}0]}`
const manyNumbers = Array.from({ length: 300_000 }, (_, at) => at)
/** So many that a text beside them is cut. */
const manyDigits = Array.from({ length: 90_000 }, (_, at) => at % 10)
const manyReturns = Array.from({ length: 60 }, () => ({ file_name: 'a\r'.repeat(1_300) }))
const longRecords = Array.from({ length: 90 }, () => ({ a: 'b', b: filled('\u200bc://d:e@', MB / 10) }))
const words = (length: number): string =>
  Array.from({ length: MB / length }, (_, at) => (at * 7919).toString(36).padStart(length, 'merge')).join(' ')

/** As many notes as a call has room for, each of which has a code block, and as many lines as are looked at of one. */
const checkNotes = textCheck(Type.Object({ notes: Type.Array(markdown()) }))
const manyNotes = (lineEnd: string) => () =>
  checkNotes({ notes: Array(100).fill(`\`\`\`\n/x\n\`\`\`\n${filled(lineEnd, 19_900)}`) }, noQuickActions)

const policy = { output: 'compact', maxChars: 200_000 } as const
const tool = { inputs: new Set<string>(), structured: false, class: 'read', record: undefined } as const
const logOf = (line: string): Buffer => Buffer.from(filled(`${line}\n`, 8 * MB))
const tailOf = async (bytes: Buffer) => {
  const tail = new LogTail(Number.MAX_SAFE_INTEGER)
  for (let at = 0; at < bytes.length; at += 64 * 1024) {
    tail.push(bytes.subarray(at, at + 64 * 1024))
    await new Promise(setImmediate)
  }
  tail.end()
  return tail
}
const invisibleLog = await tailOf(logOf(filled('\u001b]', 8000)))
const emptyLog = await tailOf(logOf(''))

/** Lines of a log as long and as many as are searched, none of which is taken for the error. */
const failedLog = (part: string) => () =>
  excerptOf(Array(61).fill(`error ${filled(part, 8000)} error_log`), 61)
/** A piece of a patch, of files' first lines alone. */
const patchOf = (part: string) => () =>
  new PatchFiles(0).push(Buffer.from(`diff --git a/ b/${filled(part, 4070)}x\n`.repeat(16)))

/** Paths as deep and as long as they are looked at, in one directory. */
const zip = zipOf(
  Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`${'d'.repeat(40)}/`.repeat(98) + filled(`${at}x`, 60), ''])
  )
)
/** A forge whose every answer has this body. */
const streaming = (body: () => Iterable<Buffer> | AsyncIterable<Buffer>) =>
  ({
    ...inTurns,
    keep: () => {},
    stream: (_: unknown, take: (answer: object) => unknown) => take({ status: 200, headers: {}, body })
  }) as unknown as ToolContext['forge']
const archive = streaming(() => [zip])
/** One whose every entry has as many extra fields as it can: 16,000 of no bytes. */
const wideZip = ((): Buffer => {
  const entry = Buffer.alloc(46 + 1 + 65_532)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(1, 28)
  entry.writeUInt16LE(65_532, 30)
  entry.write('a', 46)
  for (let at = 47; at < entry.length; at += 4) entry.writeUInt16LE(0x1234, at)
  const entries = Array.from({ length: 60 }, () => entry)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(entries.length * entry.length, 12)
  return Buffer.concat([...entries, end])
})()
const wideArchive = streaming(() => [wideZip])
/** A file of as many bytes as are read, each piece in a turn of its own. */
const artifactOf = (part: string) => {
  const piece = Buffer.from(filled(part, 64 * 1024).padEnd(64 * 1024))
  const forge = streaming(async function* () {
    for (let sent = piece.length; sent <= 10 * MB; sent += piece.length) {
      yield piece
      await new Promise(setImmediate)
    }
  })
  return () => readArtifactFile({ forge, maxChars: 200_000 } as ToolContext, { path: '', template: '' }, 'a')
}

const longDiff = `@@ -0,0 +1,49990 @@\n${'+\n'.repeat(49_990)}`

const limit = new ProjectLimit(['acme/rocket'])
const foreignRecords = Array.from({ length: 63_000 }, (_, at) => ({
  project_id: at,
  web_url: `${FORGE}/${at}`
}))

/** Each letter takes as long as a letter can to be made small. */
const longPaths = Array.from({ length: 20_000 }, (_, at) => {
  const path = `${'\u0130'.repeat(450)}${at}`
  return { project_id: at, web_url: `${FORGE}/${path}`, references: { full: `${path}!1` } }
})

/** A forge that has one answer. */
const answering = (value: unknown) =>
  ({ forge: { send: async () => ({ value }) }, maxChars: 200_000 }) as unknown as Parameters<
    typeof readPage
  >[1]

/** A line that lines of one letter have but for its middle. */
const nearly = `${'a'.repeat(149)}b${'a'.repeat(150)}`

const fullWindows = Array.from({ length: 30 }, () => {
  const window = new LineWindow({ start: 1, end: 300_000, maxChars: 200_000, numbered: false })
  window.push('\n'.repeat(300_000))
  return window
})
const escaped = measured(filled('€"\n', 200_000), 200_000)

/** Read before any limit: a hundred heads as large as Node takes. */
const heads = (read: (header: string) => unknown, part: string) => () => {
  const header = filled(part, 15_500)
  for (let at = 0; at < 100; at++) read(header)
}

const rows: HeldRow[] = [
  ['a hundred heads of cookies', 1, heads(text => readNonces(text, FORGE, size => Buffer.alloc(size)), ';')],
  ['a hundred heads of accepted ranges', 1, heads(readAccept, ',')],
  ['a hundred heads of parameters of one', 1, heads(readAccept, ';')],
  ['a hundred heads of formats of metrics', 1, heads(text => metricsFormat(text), ',')],
  ['a hundred heads of an origin of different letters', 1, longOrigins(`http://${manyLetters}`)],
  ['a hundred of one within a blob', 1, longOrigins(`blob:http://${manyLetters}`)],
  [
    'a redirect to a host of different letters',
    1,
    () => nextHop(hop, { location: `http://${encodeURIComponent(letters(5_400))}/` }, 0)
  ],
  [
    'a resource whose host is of different letters',
    1,
    () => isOwnResource(`http://${letters(5_300)}`, FORGE)
  ],
  ['a project of a megabyte of slashes', 2, inProject(`${FORGE}/a${filled('/', MB)}b`)],
  ['a project of as many slashes as an address may have', 1, inProject(`${FORGE}/a${filled('/', 4000)}b`)],
  [
    'slashes of a project beside an address',
    2,
    asThing({ project_id: `a${filled('/', MB)}b`, issue_iid: `${FORGE}/a/b/-/issues/1` })
  ],
  [
    'addresses of many segments in each of many arguments',
    2,
    () => {
      for (let at = 0; at < 15; at++) asThing({ issue_iid: `${FORGE}${filled('/a', 4000)}` })()
    }
  ],
  [
    'an address of many segments that may begin a thing',
    1,
    () => readWebUrl(`${FORGE}/a/b/${filled('issues/', 4000)}0`, FORGE)
  ],
  ['a note of a megabyte of other line ends', 3, () => quickActionIn(`${filled('\u2028', MB)}a/b`)],
  [
    'a dry run that replaces 99,000 lines',
    6,
    patched(
      'search_replace',
      list(99_000, () => 'a'),
      block('a', 'b')
    )
  ],
  [
    'a dry run with a thousand changes among them',
    4,
    patched(
      'search_replace',
      list(99_000, at => (at % 99 ? 'x' : 'a')),
      block('a', 'b')
    )
  ],
  [
    'blocks that undo each other in a megabyte',
    6,
    patched('search_replace', `${'a'.repeat(MB)}b`, flips('b', 'c'))
  ],
  [
    'blocks that find many places',
    6,
    patched('search_replace', filled('ax', 20_000) + 'y'.repeat(MB - 20_000), flips('a', 'b'))
  ],
  [
    'blocks that find a place in every character',
    6,
    patched('search_replace', 'a'.repeat(MB), flips('a', 'b'))
  ],
  [
    'a search text that almost matches everywhere',
    6,
    patched('search_replace', 'a'.repeat(MB), block(`${'a'.repeat(99)}b${'a'.repeat(20_000)}`, 'x'))
  ],
  ['a description of line ends', 8, patched('search_replace', `${filled('\r\n', MB)}b`, block('b', 'c'))],
  [
    'context that almost fits everywhere',
    4,
    patched('unified_diff', '\n'.repeat(49_000), `@@ -1,20001 +1,20000 @@\n${' \n'.repeat(20_000)}-b\n`)
  ],
  [
    'context of long lines that almost fits everywhere, in another encoding of memory than the description',
    2,
    patched(
      'unified_diff',
      `${`${'a'.repeat(330)}\n`.repeat(3_140)}\u0101`,
      `@@ -1,147 +1,146 @@\n${` ${'a'.repeat(330)}\n`.repeat(146)}-b\n`
    )
  ],
  ['hunks far from their numbers', 4, patched('unified_diff', '\n'.repeat(49_000), farHunks)],
  [
    'a diff of a description of nothing but lines',
    4,
    patched('unified_diff', '\n'.repeat(MB), '@@ -1 +1 @@\n-\n+a')
  ],
  [
    'a thousand wrong items in the arguments',
    2,
    () => read({ labels: Array.from({ length: 1000 }, () => ({ a: 1 })) })
  ],
  [
    'twenty thousand values in the arguments',
    4,
    () => read({ labels: Array.from({ length: 1000 }, () => Array(19).fill(1)) })
  ],
  [
    '200 unknown names',
    2,
    () => read(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`name ${at}`, at])))
  ],
  ['an unknown name of megabytes', 2, () => read({ ['k'.repeat(3 * MB)]: 1 })],
  ['an unknown name of megabytes of capitals', 2, () => read({ ['aA'.repeat(2 * MB)]: 'x' })],
  ['words of a set that are megabytes', 2, () => read({ state: 'a_'.repeat(2 * MB) })],
  ['an argument of megabytes', 2, () => read({ ids: '1'.repeat(3 * MB) })],
  ...['a/', 'a%2f', '%2525', '%41'].flatMap(part =>
    ['project_id', 'branch', 'file_path'].map(
      name =>
        [`${name} of megabytes of ${part}`, 2, inPath(name, filled(part, 3 * MB))] as [
          string,
          number,
          () => unknown
        ]
    )
  ),
  ['a filter of megabytes', 2, inPath('search', 'ü'.repeat(3 * MB))],
  [
    'a text of many lines that a file of long lines nearly has',
    2,
    () =>
      nearestLine(
        `${filled(`${'a'.repeat(300)}\n`, 800_000)}${nearly}`,
        filled(`${nearly.slice(0, 250)}\n`, 5000)
      )
  ],
  [
    'files that share the room of a result, of characters that JSON escapes',
    1,
    () => shareOut(Array(20).fill(escaped), 200_000)
  ],
  [
    'a file of control characters in a result of several',
    1,
    () => measured(filled('\u0001', 200_000), 200_000)
  ],
  [
    'files of more empty lines than there is room for, all of which end at once',
    1,
    () => {
      for (const window of fullWindows) window.lines(true)
    }
  ],
  ['a body of escaped quotes', 4, () => shapeOf(`"${filled('\\"', 4 * MB)}"`, messageShape)],
  ['a body of brackets', 2, () => shapeOf(filled('[],', 4 * MB), messageShape)],
  ['a title that is a draft many times over', 4, () => draftTitle(filled('draft:', MB), false)],
  ...['://a:@', '://a:a', 'a\u200b', ':', '@'].flatMap(part => [
    [`an error text of ${JSON.stringify(part)}`, 4, () => problemResult(filled(part, 10 * MB))] as [
      string,
      number,
      () => unknown
    ],
    [
      `a text of ${JSON.stringify(part)}`,
      4,
      () => writeResult({ text: filled(part, 10 * MB) }, policy, tool)
    ] as [string, number, () => unknown]
  ]),
  [
    'a text of what a made-up token repeats',
    2,
    () =>
      withoutOwnToken(filled('a', 9 * MB), {
        session: { credential: { kind: 'private-token', token: `aab${filled('a', 2_000)}` } }
      } as Parameters<typeof withoutOwnToken>[1])
  ],
  ...(
    [
      ['joiners between plain letters', 'a\u200d'],
      ['joiners between letters that they join', '\u0628\u200d'],
      ['joiners that join nothing', '\u4e2d\u200d'],
      ['joined emoji', '\u{1f468}\u200d'],
      ['choices of form', '\u4e2d\ufe0f'],
      ['forms of ideographs', '\u4e2d\u{e0100}'],
      ['marks of direction near no letter', `\u200e${'+'.repeat(30)}`],
      ['marks of direction near letters', '\u200f\u05d0'],
      ['joiners behind many marks', `${'\u0301'.repeat(8)}\u200c`],
      ['flags of tags', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}']
    ] as const
  ).map(
    ([of, part]): HeldRow => [
      `five texts of ${of}`,
      9,
      () => {
        for (let at = 0; at < 5; at++) writeResult({ text: filled(part, 200_000) }, policy, tool)
      }
    ]
  ),
  [
    'a record of control characters',
    8,
    () => writeResult({ value: { a: '\u0001'.repeat(30_000), b: '\r\n'.repeat(40_000) } }, policy, tool)
  ],
  [
    'a record of ten megabytes of line ends',
    2,
    () => writeResult({ value: { a: filled('\n', 10 * MB) } }, policy, tool)
  ],
  [
    'a text of references in references',
    6,
    () => writeResult({ text: filled('&#82', 100_000) + filled('03;', 75_000) }, policy, tool)
  ],
  ['ten megabytes of hidden characters in a name', 2, () => quoted(filled('\u200b<!--', 10 * MB))],
  [
    'a structured record of ten megabytes',
    6,
    () => writeResult({ value: { a: filled('\u200b<!--', 10 * MB) } }, policy, { ...tool, structured: true })
  ],
  [
    'a description of ten megabytes',
    6,
    () => writeResult({ value: { description: filled('\u200b<!--', 10 * MB) } }, policy, tool)
  ],
  [
    'structured records of carriage returns',
    8,
    () => {
      for (let at = 0; at < 5; at++)
        resultJson(writeResult({ value: { blobs: manyReturns } }, policy, { ...tool, structured: true }))
    }
  ],
  [
    'a record of long texts of halves of characters',
    3,
    () => writeResult({ value: { topics: halves } }, policy, { ...tool, structured: true })
  ],
  [
    'a record of many short texts',
    4,
    () => writeResult({ value: { errors: Array(190_000).fill('x'.repeat(40)) } }, policy, tool)
  ],
  ...(['compact', 'full'] as const).flatMap((output): HeldRow[] => [
    [
      `very many numbers in a record that is too long, ${output}`,
      1,
      () => writeResult({ value: { all: manyNumbers } }, { ...policy, output }, tool)
    ],
    [
      `a long text beside very many numbers, ${output}`,
      1,
      () => writeResult({ value: { all: manyDigits, text: 'x'.repeat(50_000) } }, { ...policy, output }, tool)
    ]
  ]),
  [
    'very many numbers where there may be nothing',
    1,
    () =>
      writeResult({ value: { tag: manyNumbers, time_stats: manyNumbers } }, policy, {
        ...tool,
        record: 'job'
      })
  ],
  [
    'ten thousand threads on a line that a diff of 50,000 has not',
    6,
    () => {
      const { lineAt } = changesOf([{ new_path: 'a', diff: longDiff }], 0)
      const position = { new_path: 'a', new_line: 60_000 }
      threadsOf(Array(10_000).fill({ notes: [{ resolvable: true, position }] }), lineAt)
    }
  ],
  [
    'very many records of other projects than a service keeps to',
    3,
    () => limit.keep({ value: foreignRecords }, 'shows', FORGE)
  ],
  ['records of projects whose paths are long', 8, () => limit.keep({ value: longPaths }, 'shows', FORGE)],
  [
    'very many files whose lines are to be numbered',
    6,
    () =>
      changesOf(
        Array.from({ length: 49_000 }, (_, at) => ({ new_path: `${at}`, diff: `+${at}` })),
        200_000
      )
  ],
  ['a page of nothing but lines', 2, () => readPage({}, answering({ content: filled('\n', 5 * MB) }))],
  ['a text of zeros', 4, () => writeResult({ text: `&#${'0'.repeat(199_000)}` }, policy, tool)],
  [
    'an error answer of millions of values',
    2,
    () => saidOf({ body: `[${filled('[],', 10 * MB)}1]` }, 'token')
  ],
  [
    'error answers of as many values as are read of one',
    2,
    () => {
      for (let at = 0; at < 8; at++) saidOf({ body: manyNamed }, 'token')
    }
  ],
  [
    'a refusal of very many values where a record was asked for',
    1,
    () => forgeWordsOf({ message: manyRecords }, 'token')
  ],
  [
    'refusals in words for what is not there',
    1,
    async () => {
      for (let at = 0; at < 32; at++) await refused('ref ')()
    }
  ],
  [
    'a page of nothing but beginnings of a title',
    1,
    () => {
      for (let at = 0; at < 4; at++) titleOf(filled('<title', 256 * 1024), 'token')
    }
  ],
  ...[
    filled('\n', 10 * MB),
    `@@ -0,0 +1,3000000 @@\n${filled('+\n', 10 * MB)}`,
    filled('@@ -1 +1 @@\n-a\n+b\n', 10 * MB),
    `diff --git a/${filled(' b/', 10 * MB)}`,
    filled('Index: a\n', 10 * MB)
  ].map((diff): [string, number, () => unknown] => [
    `a diff of ten megabytes of ${JSON.stringify(diff.slice(0, 30))}`,
    6,
    () => new DiffReader().numbered({ diff })
  ]),
  ['a note of lines that are nearly commands', 6, () => quickActionIn(`${filled(' /a-\n', MB)}/x`)],
  ...Object.entries({
    'other line ends': filled('\u2028', 99_000),
    'lines that are nearly commands': filled('/closee x\n', 99_000),
    'one line': `/closee ${'\u0101'.repeat(90_000)}`,
    'carriage returns': filled('\r', 99_000),
    'code blocks': filled('```\n', 99_000)
  }).map(
    ([name, body]): HeldRow => [
      `what stayed text of a note of ${name}`,
      2,
      () => stayed({ body: `${body}\n/closee` }, { body: `${body}\n/closee` })
    ]
  ),
  ['a note of code blocks', 10, () => quickActionIn(`${filled('```\n/x\n```\n', MB)}`)],
  ...(
    [
      ['carriage returns', '\r'],
      ['line ends of Windows', '\r\n'],
      ['lines of a letter', 'a\r'],
      ['line ends of every kind', '\r\u2028\n']
    ] as const
  ).flatMap(([name, part]): HeldRow[] => [
    [`a note of ${name}`, 9, () => quickActionIn(`${filled(part, 2 * MB)}- /x`)],
    [
      `a note of ${name} with a code block`,
      2,
      () => quickActionIn(`\`\`\`\n/x\n\`\`\`\n${filled(part, 2 * MB)}`)
    ]
  ]),
  ...['\n', '\r', 'a\r\n'].map((part): [string, number, () => unknown] => [
    `a hundred notes of code blocks and ${JSON.stringify(part)}`,
    4,
    manyNotes(part)
  ]),
  ['a note of blanks', 4, () => quickActionIn(`${' '.repeat(MB)}/`)],
  ['a log of which nothing is shown', 4, () => invisibleLog.window(1e6, 0, 200_000, inTurns)],
  [
    'a log of millions of lines, most of them skipped',
    4,
    () => emptyLog.window(1e6, emptyLog.kept - 1, 200_000, inTurns)
  ],
  ...[4, 12, 30].map((length): [string, number, () => unknown] => [
    `a search for a megabyte of words of ${length} letters`,
    8,
    () => catalog.search(words(length), everything, 20)
  ]),
  ...['-', '--a', 'if ', 'error: ', 'no '].map((part): [string, number, () => unknown] => [
    `a failed job's log of ${JSON.stringify(part)}`,
    4,
    failedLog(part)
  ]),
  ...[' ', '" ', ' b/', ' "b/'].map((part): [string, number, () => unknown] => [
    `a patch of files called ${JSON.stringify(part)}`,
    2,
    patchOf(part)
  ]),
  ...[
    ['Markdown', `// ... rest of ${'the '.repeat(40)}x\n`],
    ['files', `// ... rest of ${'the '.repeat(40)}x\n`],
    ['Vietnamese', '... phần còn lại nội dung giữ x\n'],
    ['Japanese', `（${'以下の残り'.repeat(38)}x\n`]
  ].map(([name, line]): [string, number, () => unknown] => [
    `texts of lines that in ${name} nearly stand for others`,
    3,
    () => {
      const budget = elisionBudget()
      const text = filled(line!, MB / 10)
      for (let at = 0; at < 50; at++) elisionsIn(text, name !== 'files', budget).next()
    }
  ]),
  ...Object.entries({
    'characters that would become eighteen if they were normalized': `[... rest ${'\ufdfa'.repeat(180)} ...]\n`,
    'signs alone': `[${'s'.repeat(198)}\n`,
    blanks: ' '.repeat(MB),
    'a sign and letters of Arabic': `[${'بدو'.repeat(66)}\n`
  }).map(
    ([name, line]): HeldRow => [
      `a text of lines of ${name}, in place of another`,
      1,
      () => {
        const budget = elisionBudget()
        const text = `[rest unchanged]\n${filled(line, MB)}`
        firstNew([...elisionsIn(text, true, budget)], [filled(line, MB)], true, budget)
      }
    ]
  ),
  ...Object.entries({
    'lines that are all alike': `aaaa\n${filled('cccc\n', MB / 2)}bbbb`,
    'nothing but lines': `aaaa\n${filled('\n', MB / 2)}bbbb`,
    'long lines': `${filled(`b${'a'.repeat(198)}\n`, MB / 2)}aaaa`
  }).map(([name, text]): HeldRow => {
    const stored = filled(text.includes('baaa') ? `${'a'.repeat(199)}\n` : 'aaaa\n', MB)
    return [`a text of ${name} that is nearly a window of a megabyte`, 3, () => windowOf(text, stored)]
  }),
  ["a webhook's address of nothing but fragments", 2, () => maskedUrl(`${'#'.repeat(40_000)}\n`)],
  [
    'a list of small records that complete an argument',
    2,
    () =>
      candidatesIn(manyRecords, { ...completions[0]!, value: ({ a }) => a, title: ({ a }) => a }, cleanText)
  ],
  [
    'records with long titles that complete an argument',
    2,
    () =>
      candidatesIn(longRecords, { ...completions[0]!, value: ({ a }) => a, title: ({ b }) => b }, cleanText)
  ],
  ...['a', '\n', '\u00e9', '\0'].map((part): [string, number, () => unknown] => [
    `a file of ten megabytes of ${JSON.stringify(part)}, piece by piece`,
    1,
    artifactOf(part)
  ]),
  ['an archive of deep directories', 2, () => listArchive(archive, { path: '', template: '' }, '', true)],
  ['an archive of extra fields', 3, () => listArchive(wideArchive, { path: '', template: '' }, '', true)]
]

t.test('nothing that is sent holds the event loop for long', t => holdNoLonger(t, rows))
