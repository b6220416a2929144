/* A dashboard of Grafana as an SVG: panels where its file has them, lines as Prometheus answered. */

export interface Line {
  readonly name: string
  /** Seconds and value; what Prometheus had none for is left out. */
  readonly points: readonly (readonly [seconds: number, value: number])[]
}

export interface Panel {
  readonly title: string
  /** Of Grafana: ops, reqps, s, bytes, short. */
  readonly unit: string
  /** Of a grid of 24 columns. */
  readonly grid: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly lines: readonly Line[]
}

const COLUMN = 50
const ROW = 26
const MARGIN = 8
const colours = [
  '#7eb26d',
  '#eab839',
  '#6ed0e0',
  '#ef843c',
  '#e24d42',
  '#5195ce',
  '#ba43a9',
  '#b7b4f0',
  '#a5a5a5',
  '#f2c96d'
]
const LEGEND = 5

/** @param from first and @param to last second that is drawn */
export function drawDashboard(title: string, panels: readonly Panel[], from: number, to: number): string {
  const height = Math.max(...panels.map(({ grid }) => grid.y + grid.h)) * ROW + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * COLUMN} ${height}" font-family="sans-serif" font-size="11">`,
    `<title>${inXml(title)}</title>`,
    '<rect width="100%" height="100%" fill="#111217"/>',
    `<text x="${MARGIN}" y="24" fill="#d8d9da" font-size="16">${inXml(title)}</text>`,
    ...panels.map(panel => drawPanel(panel, from, to)),
    '</svg>',
    ''
  ].join('\n')
}

function drawPanel({ title, unit, grid, lines: all }: Panel, from: number, to: number): string {
  // The legend has room for the highest.
  const lines = all.toSorted((one, other) => highest(other) - highest(one))
  const [width, height] = [grid.w * COLUMN - MARGIN, grid.h * ROW - MARGIN]
  const box = { left: 58, right: width - 10, top: 30, bottom: height - 44 }
  const top = ceiling(Math.max(0, ...lines.map(highest)))
  const x = (seconds: number) => round(box.left + ((seconds - from) / (to - from)) * (box.right - box.left))
  const y = (value: number) => round(box.bottom - (value / top) * (box.bottom - box.top))
  const marks = [0, 0.25, 0.5, 0.75, 1].map(share => share * top)
  const minutes = Array.from({ length: 5 }, (_, index) => from + ((to - from) * index) / 4)
  return [
    `<g transform="translate(${grid.x * COLUMN + MARGIN / 2} ${grid.y * ROW + 40})">`,
    `<rect width="${width}" height="${height}" rx="2" fill="#181b1f" stroke="#2c3235"/>`,
    `<text x="10" y="19" fill="#ccccdc" font-size="13">${inXml(title)}</text>`,
    ...marks.map(
      mark =>
        `<path d="M${box.left} ${y(mark)}H${box.right}" stroke="#2c3235"/><text x="${box.left - 6}" y="${y(mark) + 4}" text-anchor="end" fill="#9fa7b3">${inUnit(mark, unit)}</text>`
    ),
    ...minutes.map(
      seconds =>
        `<text x="${x(seconds)}" y="${box.bottom + 15}" text-anchor="middle" fill="#9fa7b3">${clock(seconds - from)}</text>`
    ),
    ...lines.map(
      ({ points }, index) =>
        `<polyline fill="none" stroke="${colourOf(index)}" stroke-width="1.5" points="${points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ')}"/>`
    ),
    ...lines
      .slice(0, LEGEND)
      .map(
        ({ name }, index) =>
          `<text x="${12 + index * (width / LEGEND)}" y="${height - 10}" fill="${colourOf(index)}">${inXml(name.slice(0, 19))}</text>`
      ),
    '</g>'
  ].join('\n')
}

const highest = ({ points }: Line): number => Math.max(0, ...points.map(([, value]) => value))
const colourOf = (index: number) => colours[index % colours.length]!
const round = (value: number) => Math.round(value * 10) / 10

/** The next of 1, 2, 5 times a power of ten. */
function ceiling(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= value)!
}

function inUnit(value: number, unit: string): string {
  const short = (number: number) => String(Math.round(number * 1000) / 1000)
  if (unit === 'bytes') return `${short(value / 1_000_000)} MB`
  if (unit === 's') return value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`
  if (unit === 'ops' || unit === 'reqps') return `${short(value)}/s`
  return short(value)
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`

const inXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
