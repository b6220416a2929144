import t from 'tap'
import { drawDashboard, type Panel } from './draw.ts'

const panel: Panel = {
  title: 'Calls <by> outcome',
  unit: 'ops',
  grid: { x: 12, y: 8, w: 12, h: 8 },
  lines: [
    {
      name: 'ok & well',
      points: [
        [100, 0],
        [160, 3],
        [220, 4]
      ]
    },
    { name: 'fault', points: [] }
  ]
}

t.test('a panel has its place, its lines and its scale', async t => {
  const svg = drawDashboard('Forge Tool Server', [panel], 100, 220)
  t.match(svg, /^<svg [^>]+viewBox="0 0 1200 456"/)
  t.match(svg, 'translate(604 248)')
  t.match(svg, '5/s</text>', 'the next round number above the highest value')
  t.match(svg, '2:00</text>')
  const [first, second] = [...svg.matchAll(/points="([^"]*)"/g)].map(([, points]) => points!.split(' '))
  t.equal(first!.length, 3)
  const heights = first!.map(point => Number(point.split(',')[1]))
  t.ok(heights[0]! > heights[1]! && heights[1]! > heights[2]!, 'more is higher')
  t.same(second, [''])
})

t.test('what Prometheus names cannot break out of the picture', async t => {
  const svg = drawDashboard('a<script>', [panel], 100, 220)
  t.notMatch(svg, /<script|<by>|ok & /)
  t.match(svg, 'Calls &lt;by&gt; outcome')
})
