import t from 'tap'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { LogTail, MAX_LINE_BYTES, MAX_TAIL_BYTES } from '../../../tools/pipelines/logs/log-tail.ts'
import { inTurns } from '../../support/in-turns.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

const args = { project_id: '1', job_id: '7' }
const plain = { 'content-type': 'text/plain' }

const read = (title: string, log: string | Buffer, more: Partial<Case>): Case => ({
  title,
  tool: 'get_pipeline_job_output',
  args,
  exchanges: [{ request: 'GET /projects/1/jobs/7/trace', reply: { headers: plain, body: log } }],
  ...more
})

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

runTable(pipelines, [
  read('gives a short log whole, without a word about it', 'one\ntwo\n', { text: 'one\ntwo', notices: [] }),
  read('counts a last line that has no newline', 'one\ntwo', {
    args: { ...args, limit: 1 },
    text: 'two',
    notices: ['Lines 2 to 2 of 2. For earlier lines: offset 1.']
  }),
  read('does not count the newline at the end as a line', 'one\ntwo\n', {
    args: { ...args, limit: 1 },
    text: 'two'
  }),
  read('keeps empty lines', 'one\n\n\ntwo\n\n', { text: 'one\n\n\ntwo\n' }),
  read(
    'gives the last thousand lines unless told otherwise, and says how to get at the others',
    `${numbered(1500).join('\n')}\n`,
    {
      text: numbered(1500).slice(500).join('\n'),
      notices: ['Lines 501 to 1500 of 1500. For earlier lines: offset 1000.']
    }
  ),
  read('skips lines at the end', `${numbered(10).join('\n')}\n`, {
    args: { ...args, limit: '3', offset: 5 },
    text: 'line 3\nline 4\nline 5',
    notices: ['Lines 3 to 5 of 10. For earlier lines: offset 8.']
  }),
  read('gives the beginning when the window reaches over it', `${numbered(10).join('\n')}\n`, {
    args: { ...args, limit: 100, offset: 8 },
    text: 'line 1\nline 2',
    notices: ['Lines 1 to 2 of 10.']
  }),
  read('says how long the log is when all of it would be skipped', 'one\ntwo\n', {
    args: { ...args, offset: 2 },
    error: 'The log has 2 lines; offset 2 skips them all.'
  }),
  read('knows a log with Windows newlines', 'one\r\ntwo\r\r\nthree\r\n', { text: 'one\ntwo\nthree' }),
  read('shows what a progress line came to', 'get  1%\rget 50%\rget 100%\ndone\r', {
    text: 'get 100%\ndone'
  }),
  read(
    'takes colours, cursor moves, titles and control characters out',
    '\u001b[0;32mgreen\u001b[0m \u001b]0;title\u0007\u001b(Bok\u0007\u001b[2K\u001b[1A\ttab\n',
    {
      text: 'green ok\ttab'
    }
  ),
  read(
    'takes section marks out and keeps what was written before one',
    'Result: 42\u001b[0Ksection_end:1700000000:script\r\u001b[0Ksection_start:1700000001:after[collapsed=true]\r\u001b[0KAfter script\nsection_end:1700000002:after\r\u001b[0K\n',
    { text: 'Result: 42\nAfter script\n' }
  ),
  read('keeps text that only looks like a section', 'see section_start:abc\nsection_endless\n', {
    text: 'see section_start:abc\nsection_endless'
  }),
  read('cuts a long line and says how much of it is missing', `${'x'.repeat(MAX_LINE_BYTES + 5)}\nnext\n`, {
    text: `${'x'.repeat(MAX_LINE_BYTES)} … [5 bytes cut]\nnext`
  }),
  read(
    'counts the cut of a rewritten line for its last text only',
    `${'x'.repeat(MAX_LINE_BYTES + 5)}\rshort\n`,
    {
      text: 'short'
    }
  ),
  read('survives bytes that are no text', Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a]), {
    text: 'a\ufffd\ufffdb'
  }),
  read('keeps the end of the log within the longest result, and says so', `${numbered(1000).join('\n')}\n`, {
    settings: { maxChars: 1000 },
    text: numbered(1000).slice(-111).join('\n'),
    notices: [
      'Lines 890 to 1000 of 1000. More would exceed the 1000 characters of a result. For earlier lines: offset 111.'
    ]
  }),
  read('cuts a line that is longer than a result', `first\n${'y'.repeat(5000)}\n`, {
    settings: { maxChars: 1000 },
    text: `${'y'.repeat(999)}…`,
    notices: [
      'Lines 2 to 2 of 2. More would exceed the 1000 characters of a result. For earlier lines: offset 1.'
    ]
  }),
  read('says why a log may be empty', '', {
    text: 'The log is empty: the job has written nothing yet, or its log was erased.'
  }),
  {
    title: 'says why there may be no log',
    tool: 'get_pipeline_job_output',
    args,
    exchanges: [
      { request: 'GET /projects/1/jobs/7/trace', reply: { status: 404, body: { message: '404 Not Found' } } }
    ],
    error:
      'The forge answered 404 Not Found. Check the ids. A job that has not started, or whose log was erased, has no log.'
  },
  {
    title: 'does not take a login page for a log',
    tool: 'get_pipeline_job_output',
    args,
    exchanges: [
      {
        request: 'GET /projects/1/jobs/7/trace',
        reply: { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>Sign in</html>' }
      }
    ],
    error: /^The forge answered with a web page instead of what was asked for/
  },
  {
    title: 'refuses a limit that shows nothing',
    tool: 'get_pipeline_job_output',
    args: { ...args, limit: 0 },
    error: 'Invalid arguments: limit must be >= 1.'
  },
  {
    title: 'refuses an offset below none',
    tool: 'get_pipeline_job_output',
    args: { ...args, offset: -1 },
    error: 'Invalid arguments: offset must be >= 0.'
  },
  {
    title: 'refuses a job that is no number',
    tool: 'get_pipeline_job_output',
    args: { ...args, job_id: '7/../8' },
    error: 'Invalid arguments: job_id must be a number, which list_pipeline_jobs gives beside the name.'
  }
])

t.test('a tail is the same however its bytes are divided', async t => {
  const log = Buffer.from('one\r\ntwo é ü\rthree\u001b[0Ksection_end:1:a\r\u001b[0Kfour\n\n\rfive')
  const whole = new LogTail(10)
  whole.push(log)
  whole.end()
  const expected = await whole.window(10, 0, 1000, inTurns)
  t.same(expected.lines, ['one', 'three', 'four', '', 'five'])
  for (const size of [1, 2, 3, 7]) {
    const parts = new LogTail(10)
    for (let at = 0; at < log.length; at += size) parts.push(log.subarray(at, at + size))
    parts.end()
    t.same(await parts.window(10, 0, 1000, inTurns), expected, `in parts of ${size} bytes`)
  }
})

t.test('a tail of long, rewritten and plain lines is the same however its bytes are divided', async t => {
  const long = 'x'.repeat(MAX_LINE_BYTES + 9)
  const parts = [
    `${long}\n`,
    'a\rb\r\n',
    'plain\r\n',
    `${'y'.repeat(MAX_LINE_BYTES)}\n`,
    `${long}\rz\n`,
    '\n'
  ]
  const log = Buffer.from(Array.from({ length: 60 }, (_, at) => parts[(at * 3) % 7] ?? 'é\n').join(''))
  const tailIn = async (size: number) => {
    const tail = new LogTail(50)
    for (let at = 0; at < log.length; at += size) tail.push(log.subarray(at, at + size))
    tail.end()
    return { total: tail.total, kept: tail.kept, ...(await tail.window(50, 0, 1e6, inTurns)) }
  }
  const whole = await tailIn(log.length)
  t.match(whole, { total: 60, kept: 50 })
  t.same([...new Set(whole.lines.map(line => `${line[0]}${line.length}`))].length, 7)
  for (const size of [1, 100, MAX_LINE_BYTES, 64 * 1024])
    t.same(await tailIn(size), whole, `in parts of ${size} bytes`)
})

t.test('a tail holds no more lines than are wanted, round its ring many times', async t => {
  const tail = new LogTail(3)
  for (let at = 1; at <= 50_000; at++) tail.push(Buffer.from(`line ${at} ${'z'.repeat(at % 97)}\n`))
  tail.end()
  t.equal(tail.total, 50_000)
  t.equal(tail.kept, 3)
  const { lines, last } = await tail.window(2, 1, 1000, inTurns)
  t.same(
    lines.map(line => line.split(' ')[1]),
    ['49998', '49999']
  )
  t.equal(last, 49_999)
})

t.test('a tail holds no more bytes than its bound, whatever is wanted', async t => {
  const tail = new LogTail(10_000_000)
  const chunk = Buffer.from(`${'w'.repeat(1023)}\n`.repeat(64))
  for (let at = 0; at < 256; at++) tail.push(chunk)
  tail.end()
  t.equal(tail.total, 16_384)
  t.equal(tail.kept, MAX_TAIL_BYTES / 1024)
})

runTable(pipelines, [
  read('says what lies too far back to be read', `${'w'.repeat(1023)}\n`.repeat(10_048), {
    args: { ...args, limit: 9000, offset: 8191 },
    text: 'w'.repeat(1023),
    notices: ['Lines 1857 to 1857 of 10048. Lines before these cannot be read with this tool.']
  }),
  read('says when an offset lies before what can be read', `${'w'.repeat(1023)}\n`.repeat(10_048), {
    args: { ...args, limit: 10, offset: 9000 },
    error: 'The log has 10048 lines, of which the last 8192 can be read; offset 9000 lies before them.'
  })
])

t.test('a window is collected a stretch in a turn, however little of it is shown', async t => {
  const tail = new LogTail(5000)
  tail.push(Buffer.from(`${'\u0001'.repeat(8000)}\n`.repeat(20)))
  tail.end()
  let turns = 0
  const { lines } = await tail.window(5000, 0, 1000, {
    paced: work => {
      turns++
      return inTurns.paced(work)
    }
  })
  t.equal(lines.length, 20)
  t.equal(turns, 5)
})

t.test('a line of a log that is cut does not end within credentials in a URL', async t => {
  const line = 'git clone https://ada:s3cret@forge.example/x'
  const tail = new LogTail(10)
  tail.push(Buffer.from(line))
  tail.end()
  for (let maxChars = 10; maxChars < line.indexOf('@'); maxChars++)
    t.notMatch((await tail.window(1, 0, maxChars, inTurns)).lines.join(), /ada|s3c/, `${maxChars}`)
})

t.test('nor does one that is too long to be kept whole', async t => {
  const url = 'https://ada:s3cr\u00e0t@forge.example/x'
  const faults: string[] = []
  for (
    let before = MAX_LINE_BYTES - url.indexOf('@');
    before < MAX_LINE_BYTES - 'https://'.length;
    before++
  ) {
    const tail = new LogTail(10)
    const line = Buffer.from(`${'x'.repeat(before)}${url}${' and more'.repeat(1000)}`)
    for (let at = 0; at < line.length; at += 5000) tail.push(line.subarray(at, at + 5000))
    tail.end()
    const [shown] = (await tail.window(1, 0, 10_000, inTurns)).lines
    const cut = line.length - before - 'https://'.length
    if (shown !== `${'x'.repeat(before)}https:// … [${cut} bytes cut]`) faults.push(shown!.slice(before))
  }
  t.same(faults, [])
})
