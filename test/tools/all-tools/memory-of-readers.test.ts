import t from 'tap'
import { readFile } from '../../../src/engine/files/read-file.ts'
import type { StreamAnswer, StreamReader } from '../../../src/upstream/answers/stream.ts'
import { failingCases } from '../../../tools/ci/failing-cases.ts'
import { PatchFiles } from '../../../tools/merge-requests/diffs/patch-files.ts'
import { readArtifactFile } from '../../../tools/pipelines/archives/artifact-file.ts'
import { LogTail } from '../../../tools/pipelines/logs/log-tail.ts'
import { collect } from '../../support/collect.ts'
import { until } from '../../support/until.ts'

/* What readers of streams say that they keep is what they keep, whatever they read. */

const READERS = 10
/** A piece, as bytes and as text, besides what a reader keeps of it. */
const PIECE_BYTES = 256 * 1024

const wanted = { start: 1, end: Number.POSITIVE_INFINITY, maxChars: 200_000, images: true, name: 'a' }
const patch = async ({ body }: StreamAnswer) => {
  const files = new PatchFiles(200_000)
  for await (const chunk of body(files)) files.push(chunk)
}
const log = async ({ body }: StreamAnswer) => {
  const tail = new LogTail(10_000)
  for await (const chunk of body(tail)) tail.push(chunk)
}
const artifact = (answer: StreamAnswer) => {
  const forge = { stream: (_: unknown, read: (answer: StreamAnswer) => unknown) => read(answer) }
  return readArtifactFile({ forge, maxChars: 200_000 } as never, { path: '/a', template: '/a' }, 'a')
}
const report = (answer: StreamAnswer) => failingCases(answer, { suite: undefined, most: 200 })

const long = 'z'.repeat(63_000)
const failed = (field: string, value: string) => `{"status":"failed","${field}":${value}},`
const cases = (...texts: string[]) => `{"test_suites":[{"name":"x","test_cases":[${texts.join('')}`
const passed = `{"a":"${'y'.repeat(66_000)}"}`
/** A suite that has a long field after each case that passed. */
const suite = `{"test_suites":[{${Array.from({ length: 30 }, (_, at) => `"cases${at}":[${passed}],"field${at}":"${'f'.repeat(20)}"`).join()}`

const rows: Record<string, readonly [read: (answer: StreamAnswer) => Promise<unknown>, text: string]> = {
  'a file of empty lines': [answer => readFile(answer, { ...wanted, numbered: false }), '\n'.repeat(199_000)],
  'a numbered file of empty lines': [
    answer => readFile(answer, { ...wanted, numbered: true }),
    '\n'.repeat(25_000)
  ],
  'a file of one line': [
    answer => readFile(answer, { ...wanted, end: 1, numbered: false }),
    `a line of some length\n${'b'.repeat(500_000)}`
  ],
  'an image': [answer => readFile(answer, { ...wanted, numbered: false }), `GIF89a${'x'.repeat(600_000)}`],
  'a patch of empty lines': [patch, `diff --git a/x b/x\n${'\n'.repeat(199_000)}`],
  'a patch of names before long texts': [
    patch,
    `${'x\n'.repeat(110_000)}${`diff --git a/name b/long_enough_name\u0100${long}\n`.repeat(20)}w\n`
  ],
  'a report of long names': [report, cases(failed('name', `"\u0100${'a'.repeat(1_000_000)}"`).repeat(3))],
  'a report of long times': [report, cases(failed('execution_time', `"${'a'.repeat(500_000)}"`).repeat(3))],
  'a report of long failures': [
    report,
    cases(failed('recent_failures', `{"a":"${'a'.repeat(500_000)}"}`).repeat(3))
  ],
  'a report of names that are no texts': [
    report,
    cases(failed('name', `["${'a'.repeat(500_000)}"]`).repeat(3))
  ],
  'a report of messages': [report, cases(failed('system_output', `"${'a'.repeat(500_000)}"`).repeat(3))],
  'a report of a long case': [report, cases(failed('name', `"${'a'.repeat(900_000)}`))],
  'a report of a suite among long cases': [report, suite],
  'an artifact of empty lines': [artifact, '\n'.repeat(199_000)],
  'a log of empty lines': [log, '\n'.repeat(199_000)]
}

for (const [what, [read, text]] of Object.entries(rows))
  t.test(`of ${what} no more is kept than the reader says`, async t => {
    const bytes = Buffer.from(text)
    const readers: StreamReader[] = []
    const stalled = () => new Promise<void>(resolve => void release.push(resolve))
    const release: (() => void)[] = []
    const answer = {
      status: 200,
      headers: {},
      isElsewhere: false,
      async *body(reader: StreamReader) {
        for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
        readers.push(reader)
        await stalled()
      }
    }
    const before = await taken()
    const reads = Array.from({ length: READERS }, () => read(answer).catch(() => {}))
    while (readers.length < READERS) await new Promise(setImmediate)
    const [{ heldBytes }] = readers as [StreamReader]
    // V8 gives back the memory of buffers in another thread, which may wait for a processor.
    let each = 0
    await until(async () => {
      each = ((await taken()) - before) / READERS
      t.comment(`${Math.round(each)} bytes of ${heldBytes} told`)
      return each < heldBytes + PIECE_BYTES
    })
    for (const go of release) go()
    await Promise.all(reads)
  })

async function taken(): Promise<number> {
  collect()
  // V8 gives back the memory of buffers in another thread.
  await new Promise(resolve => setTimeout(resolve, 10))
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
