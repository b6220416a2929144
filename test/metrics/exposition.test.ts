import t from 'tap'
import { contentTypes, writeText } from '../../src/metrics/exposition.ts'
import { Counter, gauge, Histogram } from '../../src/metrics/series.ts'

t.test('a counter is there with 0 for every label value known from the start', async t => {
  const counter = new Counter('x_total', 'Things.', ['reason'], [['a'], ['b']])
  counter.count('b')
  counter.count('b')
  t.equal(
    writeText([counter.read()], 'prometheus'),
    '# HELP x_total Things.\n# TYPE x_total counter\nx_total{reason="a"} 0\nx_total{reason="b"} 2\n'
  )
  t.equal(counter.total(), 2)
  t.equal(
    counter.total(([reason]) => reason === 'a'),
    0
  )
})

t.test('OpenMetrics names the family of a counter without _total, and ends with # EOF', async t => {
  const counter = new Counter('x_total', 'Things.')
  counter.count()
  t.equal(
    writeText([counter.read()], 'openmetrics'),
    '# HELP x Things.\n# TYPE x counter\nx_total 1\n# EOF\n'
  )
  t.match(contentTypes.openmetrics, /^application\/openmetrics-text; version=1\.0\.0/)
})

t.test('a histogram counts into every bucket that a value fits, its bound included', async t => {
  const histogram = new Histogram('h', 'Time.', ['tool'], [0.1, 1])
  for (const value of [0.1, 0.5, 7]) histogram.observe(value, 'get')
  t.same(writeText([histogram.read()], 'prometheus').split('\n').slice(2), [
    'h_bucket{tool="get",le="0.1"} 1',
    'h_bucket{tool="get",le="1"} 2',
    'h_bucket{tool="get",le="+Inf"} 3',
    'h_sum{tool="get"} 7.6',
    'h_count{tool="get"} 3',
    ''
  ])
})

t.test('label values and help texts are escaped, and numbers that are none are written so', async t => {
  const odd = gauge('g', 'one\\\ntwo', () => Number.POSITIVE_INFINITY, { a: 'say "x"\n\\' })
  t.equal(
    writeText([odd.read()], 'prometheus'),
    '# HELP g one\\\\\\ntwo\n# TYPE g gauge\ng{a="say \\"x\\"\\n\\\\"} +Inf\n'
  )
  t.match(writeText([gauge('g', 'g', () => Number.NaN).read()], 'prometheus'), /\ng NaN\n$/)
  t.match(writeText([gauge('g', 'g', () => Number.NEGATIVE_INFINITY).read()], 'prometheus'), /\ng -Inf\n$/)
})

t.test('label combinations are bounded, whatever is counted', async t => {
  const counter = new Counter('x_total', 'Things.', ['name'])
  const histogram = new Histogram('h', 'Time.', ['name'], [1])
  for (let at = 0; at < 5_000; at++) {
    counter.count(`name ${at}`)
    histogram.observe(1, `name ${at}`)
  }
  t.equal(counter.read().samples.length, 2_000)
  t.equal(histogram.read().samples.length, 2_000 * 4)
})
