import type { ToolContext } from '../../src/engine/context.ts'
import { fileOutput, wantedOf } from '../../src/engine/files/file-output.ts'
import { inPieces } from '../../src/engine/files/in-pieces.ts'
import { LineWindow } from '../../src/engine/files/line-window.ts'
import { queryOf } from '../../src/engine/requests/query.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { CallProblem } from '../../src/results/problem.ts'
import type { ToolOutput } from '../../src/results/result.ts'

interface Wanted {
  readonly version?: string
}

/**
 * Reads a page: its text by lines, as for files, with the other fields of the page.
 * @throws CallProblem if the first requested line does not exist; errors of ForgeClient.send
 */
export async function readPage(args: Wanted, { forge, maxChars }: ToolContext): Promise<ToolOutput> {
  const query = args.version === undefined ? '' : queryOf({ version: args.version })
  const request = requestTo('GET {PG}/wikis/{.slug}', args as Readonly<Record<string, unknown>>, query)
  const { value } = await forge.send(request)
  const { slug, title, format, encoding, content } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (typeof content !== 'string') throw new CallProblem('The forge answered without the text of the page.')
  const wanted = wantedOf({ ...args }, maxChars)
  const window = new LineWindow(wanted)
  for await (const piece of inPieces(content)) window.push(piece)
  const lines = window.lines(true)
  if (wanted.start > 1 && wanted.start > lines.total! && lines.total! > 0)
    throw new CallProblem(`start_line ${wanted.start} is past the end: the page has ${lines.total} lines.`)
  const size = Buffer.byteLength(content)
  const facts = { slug, title, format, encoding }
  const mediaType = format === 'markdown' ? 'text/markdown' : undefined
  return fileOutput({ kind: 'text', headers: {}, size, lines }, { facts, mediaType })
}
