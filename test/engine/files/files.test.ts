import t from 'tap'
import { fileOutput } from '../../../src/engine/files/file-output.ts'
import { LineWindow } from '../../../src/engine/files/line-window.ts'
import { imageTypeOf, mediaTypeOf } from '../../../src/engine/files/media-type.ts'
import { type FileWanted, type ReadFile, readFile } from '../../../src/engine/files/read-file.ts'

const all = {
  start: 1,
  end: Number.POSITIVE_INFINITY,
  maxChars: 200_000,
  numbered: false,
  images: true,
  name: 'a'
}
const MIB = 1024 * 1024

/** A body that counts what was taken of it. */
function bodyOf(chunks: Iterable<Buffer>, headers: Record<string, string> = {}, isElsewhere = false) {
  const taken = { bytes: 0 }
  async function* body() {
    for (const chunk of chunks) {
      taken.bytes += chunk.length
      yield chunk
    }
  }
  const read = (wanted: Partial<FileWanted> = {}) =>
    readFile({ status: 200, headers, isElsewhere, body }, { ...all, ...wanted })
  return { taken, read }
}

function* large(mib: number): Generator<Buffer> {
  const chunk = Buffer.from('0123456\n'.repeat(8 * 1024))
  for (let sent = 0; sent < mib * MIB; sent += chunk.length) yield chunk
}

t.test('of a large file no more is read than its first lines take', async t => {
  const { taken, read } = bodyOf(large(100), { 'x-gitlab-size': String(100 * MIB) })
  const file = await read({ start: 2, end: 4 })
  t.match(file, { kind: 'text', size: 100 * MIB, lines: { text: '0123456\n0123456\n0123456', end: 4 } })
  t.equal(file.kind === 'text' && file.lines.total, undefined, 'how many lines there are is not known')
  t.ok(taken.bytes <= 128 * 1024, `${taken.bytes} bytes`)
})

t.test('of one whose size is not said no more than a little is read to count lines', async t => {
  const { taken, read } = bodyOf(large(100))
  t.match(await read({ end: 1 }), { size: undefined, lines: { text: '0123456', total: undefined } })
  t.ok(taken.bytes <= MIB + 128 * 1024, `${taken.bytes} bytes`)
})

t.test('what a result has room for is all that is kept of a large file', async t => {
  const { taken, read } = bodyOf(large(100), { 'x-gitlab-size': String(100 * MIB) })
  t.match(await read(), { lines: { full: true, end: 25_000, total: undefined } })
  t.ok(taken.bytes < MIB)
})

t.test('lines far into a large file are out of reach, and reading ends there', async t => {
  const { taken, read } = bodyOf(large(100), { 'x-gitlab-size': String(100 * MIB) })
  await t.rejects(read({ start: 9_000_000 }), {
    message: 'start_line 9000000 lies beyond the first 10 MiB of the file, which is as far as it is read.'
  })
  t.ok(taken.bytes <= 11 * MIB)
})

t.test('a binary file is read no further than its first zero', async t => {
  const { taken, read } = bodyOf([Buffer.alloc(64 * 1024), ...large(50)])
  t.match(await read(), { kind: 'binary', mediaType: 'application/octet-stream' })
  t.ok(taken.bytes <= 128 * 1024)
})

t.test('a small file is read to its end, so that its lines are counted', async t => {
  const { read } = bodyOf([Buffer.from('a\nb\nc')])
  t.match(await read({ end: 1 }), { size: 5, lines: { text: 'a', total: 3 } })
})

t.test('a character may come in two pieces', async t => {
  const bytes = Buffer.from('é高🚀\n')
  for (let at = 0; at <= bytes.length; at++) {
    const { read } = bodyOf([bytes.subarray(0, at), bytes.subarray(at)])
    t.match(await read(), { kind: 'text', lines: { text: 'é高🚀\n', total: 1 } })
  }
})

t.test('an image is read whole, and one that is too large is left', async t => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1000)])
  t.match(await bodyOf([png]).read(), { kind: 'image', bytes: png, mediaType: 'image/png', size: 1008 })
  t.match(await bodyOf([png]).read({ images: false }), { kind: 'binary', mediaType: 'image/png' })
  const { taken, read } = bodyOf([png, ...large(50)])
  t.match(await read(), { kind: 'binary', mediaType: 'image/png', size: undefined })
  t.ok(taken.bytes < 3 * MIB)
})

t.test('a window of lines is the same however the text is cut into pieces', async t => {
  const text = 'one\n\nthree\r\nfour is longer\nfive'
  const whole = text.split('\n')
  for (let start = 1; start <= whole.length; start++)
    for (let end = start; end <= whole.length; end++)
      for (let size = 1; size < 9; size++) {
        const window = new LineWindow({ ...all, start, end })
        for (let at = 0; at < text.length; at += size) window.push(text.slice(at, at + size))
        const lines = window.lines(true)
        t.same(
          [lines.text, lines.end, lines.total],
          [
            whole
              .slice(start - 1, end)
              .join('\n')
              .replace(/\r$/, ''),
            end,
            5
          ]
        )
      }
})

t.test('numbers of lines take their part of the room', async t => {
  const window = new LineWindow({ ...all, maxChars: 9, numbered: true })
  window.push('aa\nbb\ncc\n')
  const lines = window.lines(true)
  t.match(lines, { text: '1\taa\n2\tbb', end: 2, total: 3, full: true, cut: false })
})

t.test('what a file is, its first bytes tell', async t => {
  for (const [type, bytes] of [
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['application/zip', [0x50, 0x4b, 3, 4]],
    ['application/octet-stream', [1, 2, 3]]
  ] as const)
    t.equal(mediaTypeOf(Buffer.from(bytes)), type)
  t.equal(mediaTypeOf(Buffer.from('RIFF1234WEBPVP8 ')), 'image/webp')
  t.equal(imageTypeOf(Buffer.from('<svg/>')), undefined, 'an SVG is text')
  t.equal(imageTypeOf(Buffer.from('%PDF-1.7')), undefined)
})

t.test('of what is said beside a text no more is written than is shown', async t => {
  const { read } = bodyOf([Buffer.from('one\n')])
  let written = 0
  const format = Object.assign(() => {}, { toJSON: () => `${++written}` })
  const facts = { title: 't'.repeat(3_000_000), format }
  const { about } = fileOutput((await read()) as ReadFile, { facts })
  t.match(about, /^\{"title":"t+… \[\d+ more\]","format":"1",/, 'its text once, with what is cut')
  t.equal(written, 1)
  t.ok(about!.length <= 8_000)
})

t.test('a line that is cut does not end within credentials in a URL', async t => {
  const line = 'git clone https://ada:s3cret@forge.example/x'
  const faults = Array.from({ length: line.length }, (_, at) => at + 1).filter(maxChars => {
    const window = new LineWindow({ ...all, maxChars })
    window.push(line)
    return maxChars < line.indexOf('@') && /ada|s3c/.test(window.lines(true).text)
  })
  t.same(faults, [])
})

t.test('nor does one that arrives in pieces, wherever these end', async t => {
  const line = 'git clone https://ada:s3cret@forge.example/x'
  const faults = Array.from({ length: line.length - 1 }, (_, at) => at + 1).filter(end => {
    const window = new LineWindow({ ...all, maxChars: line.indexOf('cret@') })
    for (const piece of [line.slice(0, end), line.slice(end)]) if (!window.done) window.push(piece)
    const lines = window.lines(true)
    return !(lines.text === 'git clone https://' && lines.full && lines.cut)
  })
  t.same(faults, [])
})

t.test('of a line that is cut little is kept beyond what there is room for', async t => {
  const window = new LineWindow({ ...all, maxChars: 1000 })
  window.push('x'.repeat(1001))
  t.notOk(window.done, 'credentials may be around the cut')
  window.push('x'.repeat(100_000))
  t.ok(window.done)
  t.ok(window.heldBytes < 6000, `${window.heldBytes} bytes`)
  t.match(window.lines(false), { text: 'x'.repeat(1000), end: 1, total: undefined, full: true, cut: true })
})

const html = { 'content-type': 'text/html; charset=utf-8' }
const page = '<!DOCTYPE html><title>Sign in</title>'
const kindOf = (
  text: string,
  headers: Record<string, string>,
  wanted: Partial<FileWanted> = {},
  isElsewhere = false
) =>
  bodyOf(
    [...text].map(char => Buffer.from(char)),
    headers,
    isElsewhere
  )
    .read(wanted)
    .then(
      ({ kind }) => kind,
      error => error.fault
    )

t.test('a page that the forge sends as one, and not as a file, is none', async t => {
  const pages = [page, '<html lang="en">', '\ufeff \n<!-- a --><!--\nb -->\n<!doctype HTML>', '<?xml?><html>']
  for (const text of pages) t.equal(await kindOf(text, html), 'bad-answer', text)
  for (const text of ['plain', '<p>a</p>', '<html-element>', '<!-- <html>', `${'<!---->'.repeat(80)}x`, ''])
    t.equal(await kindOf(text, html), 'text', `${text} does not begin as a page does`)
  t.equal(await kindOf(page, { 'content-type': 'text/plain' }), 'text')
  t.equal(await kindOf(page, { ...html, 'x-gitlab-blob-id': 'b10b' }), 'text', 'it is said to be the file')
  t.equal(await kindOf(page, { ...html, 'x-gitlab-meta': '{}' }), 'bad-answer', 'any answer may have that')
})

t.test('a page is a file by its name, of another host only what is kept as an object', async t => {
  for (const name of ['a/index.html', 'a.HTM', 'a.xhtml']) t.equal(await kindOf(page, html, { name }), 'text')
  t.equal(await kindOf(page, html, { name: 'html' }), 'bad-answer')
  const elsewhere = (wanted: Partial<FileWanted>) => kindOf(page, html, wanted, true)
  t.equal(await elsewhere({ name: 'a.html' }), 'bad-answer')
  t.equal(await elsewhere({ name: 'a.html', isObject: true }), 'text')
  t.equal(await elsewhere({ name: 'a.txt', isObject: true }), 'bad-answer')
})
