import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/*
 * What a session looks like, as docs/session.svg (`npm run docs`). The lines are those of the demo, as it printed them.
 */

const FONT_PX = 13
const LINE_PX = 18
const MARGIN_PX = 16
const LONGEST_LINE = 100

const demo = fileURLToPath(new URL('demo.ts', import.meta.url))
const { stdout } = await promisify(execFile)(process.execPath, [demo, '--once'])

/** The address and what follows from chance are of no interest. */
const lines = stdout
  .trimEnd()
  .split('\n')
  // The end of a job's log
  .filter(line => !line.startsWith('    '))
  .map(line => line.replace(/^Connected to \S+: /, ''))
  .map(line => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line))

const escaped = (text: string) =>
  text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)

/** What was asked stands at the margin, what came of it is indented. */
const written = (line: string, at: number): string => {
  if (line === '') return ''
  const style = line.startsWith(' ') ? '' : ' class="asked"'
  return `<text x="${MARGIN_PX}" y="${MARGIN_PX + (at + 1) * LINE_PX}"${style}>${escaped(line)}</text>\n`
}

const width = Math.round(2 * MARGIN_PX + Math.max(...lines.map(line => line.length)) * FONT_PX * 0.61)
const height = 2 * MARGIN_PX + (lines.length + 1) * LINE_PX
process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="A session of an MCP client, as npm run demo prints it">
<style>
rect { fill: #0d1117 }
text { fill: #c9d1d9; font: ${FONT_PX}px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
.asked { fill: #7ee787; font-weight: bold }
</style>
<rect width="${width}" height="${height}" rx="8"/>
${lines.map(written).join('')}</svg>
`
)
