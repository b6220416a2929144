import { readFileSync } from 'node:fs'
import t from 'tap'
import { promtest, withoutPromtool } from '../support/promtool.ts'

/* The objectives of service in docs/operations.md, by the program that Prometheus has for testing expressions. */

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, block = ''] = /For an objective of service[\s\S]*?```\n([\s\S]*?)```/.exec(page) ?? []
const [calls = '', requests = ''] = block.split('\n\n')

const called = (outcome: string) =>
  `forge_mcp_operation_duration_seconds_count{mcp_method="tools/call",outcome="${outcome}"}`
const asked = (outcome: string) =>
  `forge_mcp_upstream_request_duration_seconds_count{forge="home",outcome="${outcome}"}`
const refused = (reason: string) => `forge_mcp_upstream_refused_total{forge="home",reason="${reason}"}`
const rejected = (reason: string) => `forge_mcp_requests_rejected_total{reason="${reason}"}`

/** What a process has from its start on. */
const none = {
  [refused('busy')]: 0,
  [refused('down')]: 0,
  [rejected('overload')]: 0,
  [rejected('unchecked')]: 0,
  [rejected('capacity')]: 0
}

t.test('the objectives of service', { skip: withoutPromtool }, async t => {
  for (const [title, daily, ofCalls, ofRequests] of [
    ['all is well', { [called('ok')]: 100, [asked('2xx')]: 100 }, 1, 1],
    [
      'of a hundred calls twenty find no room at the forge',
      { [called('ok')]: 80, [called('tool_error')]: 20, [refused('busy')]: 20, [asked('2xx')]: 80 },
      0.8,
      0.8
    ],
    [
      'ten of a hundred find no room in the pool, and ten are turned away before that',
      {
        [called('ok')]: 80,
        [called('capacity')]: 10,
        [rejected('capacity')]: 10,
        [rejected('overload')]: 5,
        [rejected('unchecked')]: 5,
        [rejected('session')]: 50,
        [asked('2xx')]: 80
      },
      0.8,
      1
    ],
    [
      'a defect, a time-out, and a forge that is spared',
      {
        [called('ok')]: 90,
        [called('fault')]: 5,
        [called('timeout')]: 5,
        [asked('2xx')]: 80,
        [asked('timeout')]: 10,
        [refused('down')]: 10
      },
      0.9,
      0.8
    ]
  ] as const)
    t.equal(
      promtest({
        interval: '1d',
        input_series: Object.entries({ ...none, ...daily }).map(([series, by]) => ({
          series,
          values: `0+${by}x40`
        })),
        promql_expr_test: [
          [calls, ofCalls],
          [requests, ofRequests]
        ].map(([expr, value]) => ({
          // Shares are not exact in binary.
          expr: `round(${expr}, 0.001)`,
          eval_time: '31d',
          exp_samples: [{ labels: '{}', value }]
        }))
      }),
      '',
      title
    )
})
