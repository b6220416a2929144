import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { promtest, withoutPromtool } from '../support/promtool.ts'

/* The alert rules, by the program that Prometheus has for testing them. */

const file = fileURLToPath(new URL('../../docs/alerts.yml', import.meta.url))

interface Case {
  readonly title: string
  /** Series, by minute from 0 on. */
  readonly series: Readonly<Record<string, string>>
  /** The alerts that fire after 20 minutes, with what tells them apart. */
  readonly firing: Readonly<Record<string, readonly Record<string, string>[]>>
}

const mine = 'job="whatever",instance="a"'
const other = 'job="someone-elses",instance="b"'
const well = {
  [`up{${mine}}`]: '1x40',
  [`forge_mcp_build_info{${mine},version="1"}`]: '1x40'
}
/** Sixty calls a minute, of which so many take up to 10 s and the others up to 30 s. */
const times = (labels: string, quick: number) =>
  Object.fromEntries(
    Object.entries({ 10: quick, 30: 60, '+Inf': 60 }).map(([le, calls]) => [
      `forge_mcp_operation_duration_seconds_bucket{${labels},mcp_method="tools/call",outcome="ok",le="${le}"}`,
      `0+${calls}x40`
    ])
  )
const cases: readonly Case[] = [
  { title: 'nothing fires while all is well', series: well, firing: {} },
  {
    title: 'a server that cannot be scraped, whatever its job is called, and nobody else’s',
    series: {
      [`up{${mine}}`]: '1x5 0x35',
      [`forge_mcp_build_info{${mine},version="1"}`]: '1x5 _x35',
      [`up{${other}}`]: '0x40',
      'forge_mcp_build_info{job="whatever",instance="c",version="1"}': '1x40'
    },
    firing: { ForgeToolServerDown: [{ severity: 'critical', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'no server at all',
    series: { [`up{${other}}`]: '1x40' },
    firing: { ForgeToolServerAbsent: [{ severity: 'critical' }] }
  },
  {
    title: 'a process that dies over and over, and neither one that was started again nor anybody else’s',
    series: {
      ...well,
      [`process_start_time_seconds{${mine}}`]: '60+60x40',
      'process_start_time_seconds{job="whatever",instance="c"}': '1x10 2x30',
      'forge_mcp_build_info{job="whatever",instance="c",version="1"}': '1x40',
      [`process_start_time_seconds{${other}}`]: '60+60x40'
    },
    firing: { ForgeToolServerRestarting: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'forges that fail, of the installation that it is',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="2xx"}`]: '0+60x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="5xx"}`]: '0+20x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${other},forge="home",outcome="2xx"}`]: '0+60x40'
    },
    firing: {
      ForgeToolServerForgeFailing: [{ severity: 'warning', job: 'whatever', instance: 'a', forge: 'home' }]
    }
  },
  {
    title: 'a forge whose name is not found, apart from what callers ask wrongly',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="4xx"}`]: '0+60x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="too-large"}`]:
        '0+60x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="dns"}`]: '0+60x40'
    },
    firing: {
      ForgeToolServerForgeFailing: [{ severity: 'warning', job: 'whatever', instance: 'a', forge: 'home' }]
    }
  },
  {
    title: 'a forge that hangs, whose callers give up before it is late, and not callers who leave at once',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="unanswered"}`]:
        '0+20x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="cancelled"}`]:
        '0+20x40'
    },
    firing: {
      ForgeToolServerForgeFailing: [{ severity: 'warning', job: 'whatever', instance: 'a', forge: 'home' }]
    }
  },
  {
    title:
      'an outage that shows in several ways, each below what counts, where all fails and where a fifth does',
    series: {
      ...well,
      ...Object.fromEntries(
        ['unanswered', 'timeout', '5xx'].map(outcome => [
          `forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="${outcome}"}`,
          '0+0.5x40'
        ])
      ),
      ...Object.fromEntries(
        Object.entries({ unanswered: 9, timeout: 9, '2xx': 82 }).map(([outcome, count]) => [
          `forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="${outcome}"}`,
          `0+${count}x40`
        ])
      )
    },
    firing: {
      ForgeToolServerForgeFailing: ['callers', 'home'].map(forge => ({
        severity: 'warning',
        job: 'whatever',
        instance: 'a',
        forge
      }))
    }
  },
  {
    title:
      'a forge that is down for minutes, while its many answers before that still count, and not for one',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="2xx"}`]:
        '0+1200x15 18000x25',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="unreachable"}`]:
        '0x15 15+2x25',
      [`forge_mcp_forge_silent_seconds{${mine}}`]: '0x15 10+60x10 0x15',
      [`forge_mcp_forge_silent_seconds{${other}}`]: '0x18 40+60x1 0x22'
    },
    firing: { ForgeToolServerForgeDown: [{ severity: 'critical', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'a forge that is down and asked every 150 s, whose silence each call shows to be longer',
    series: {
      ...well,
      [`forge_mcp_forge_silent_seconds{${mine}}`]:
        '0x6 150x1 300x2 450x1 600x2 750x1 900x2 1050x1 1200x2 1350x12 0x4'
    },
    firing: { ForgeToolServerForgeDown: [{ severity: 'critical', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'one of several replicas that is cut off from the forge, however few requests it still sends',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="unreachable"}`]:
        '0+2x40',
      [`forge_mcp_forge_silent_seconds{${mine}}`]: '0+60x40 0',
      'forge_mcp_forge_silent_seconds{job="whatever",instance="c"}': '0x40',
      'forge_mcp_upstream_request_duration_seconds_count{job="whatever",instance="c",forge="home",outcome="2xx"}':
        '0+60x40'
    },
    firing: {
      ForgeToolServerForgeDown: [{ severity: 'critical', job: 'whatever', instance: 'a' }],
      ForgeToolServerForgeFailing: [{ severity: 'warning', job: 'whatever', instance: 'a', forge: 'home' }]
    }
  },
  {
    title: 'a forge that answers checks of credentials and no calls, and one that answers no checks',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="2xx"}`]: '0+1440x40',
      [`forge_mcp_forge_silent_seconds{${mine}}`]: '0+60x40 0',
      [`forge_mcp_credential_checks_silent_seconds{${mine}}`]: '0x40',
      [`forge_mcp_forge_silent_seconds{${other}}`]: '0x40',
      [`forge_mcp_credential_checks_silent_seconds{${other}}`]: '0+60x40 0'
    },
    firing: {
      ForgeToolServerForgeDown: [
        { severity: 'critical', job: 'whatever', instance: 'a' },
        { severity: 'critical', job: 'someone-elses', instance: 'b' }
      ]
    }
  },
  {
    title: 'a forge that the operator has named that is down beside others that answer',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="2xx"}`]: '0+60x40',
      [`forge_mcp_named_forges_silent_seconds{${mine}}`]: '0+60x40 0',
      [`forge_mcp_named_forges_silent_seconds{${other}}`]: '0 60 120 0x37'
    },
    firing: { ForgeToolServerNamedForgeDown: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'the forge of the operator that is down, however many requests go to those that callers name',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="2xx"}`]: '0+60x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="unreachable"}`]:
        '0+2x40'
    },
    firing: {
      ForgeToolServerForgeFailing: [{ severity: 'warning', job: 'whatever', instance: 'a', forge: 'home' }]
    }
  },
  {
    title: 'no single request that is late now and then, where there are few',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="timeout"}`]:
        '0x4 1x3 2x3 3x3 4x3 5x3 6x3 7x3 8x3 9x3',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="2xx"}`]: '0+1x40'
    },
    firing: {}
  },
  {
    title: 'no forge of a single caller that is down beside others that answer',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="2xx"}`]: '0+60x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="unreachable"}`]:
        '0+2x40',
      [`forge_mcp_upstream_refused_total{${mine},forge="callers",reason="down"}`]: '0+58x40'
    },
    firing: {}
  },
  {
    title: 'a heap that is nearly full',
    series: {
      ...well,
      [`forge_mcp_heap_used_bytes{${mine}}`]: '90x40',
      [`forge_mcp_heap_used_bytes{${other}}`]: '9x40',
      [`forge_mcp_heap_limit_bytes{${mine}}`]: '100x40',
      [`forge_mcp_heap_limit_bytes{${other}}`]: '100x40'
    },
    firing: { ForgeToolServerHeapNearLimit: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'callers over their limits, by names that are not known, and such as hold too much',
    series: {
      ...well,
      [`forge_mcp_requests_rejected_total{${mine},reason="failed_credentials"}`]: '0+60x40',
      [`forge_mcp_requests_rejected_total{${mine},reason="host"}`]: '0+60x40',
      [`forge_mcp_requests_rejected_total{${mine},reason="session"}`]: '0+60x40',
      [`forge_mcp_connections_cut_total{${mine},reason="slow"}`]: '0+60x40'
    },
    firing: {
      ForgeToolServerCallersLimited: [{ severity: 'info', job: 'whatever', reason: 'failed_credentials' }],
      ForgeToolServerUnknownHost: [{ severity: 'info', job: 'whatever', reason: 'host' }],
      ForgeToolServerCallersCut: [{ severity: 'info', job: 'whatever', reason: 'slow' }]
    }
  },
  {
    title:
      'calls that are not sent because too many are under way, apart from those that an ill forge is spared',
    series: {
      ...well,
      [`forge_mcp_upstream_refused_total{${mine},forge="home",reason="busy"}`]: '0+60x40',
      [`forge_mcp_upstream_refused_total{${other},forge="home",reason="busy"}`]: '0+3x40',
      [`forge_mcp_upstream_refused_total{${other},forge="callers",reason="down"}`]: '0+60x40'
    },
    firing: { ForgeToolServerCallsNotSent: [{ severity: 'warning', job: 'whatever' }] }
  },
  {
    title: 'no spell of calls that are not sent, or turned away, that is over',
    series: {
      ...well,
      [`forge_mcp_upstream_refused_total{${mine},forge="home",reason="busy"}`]: '0x13 60 120 180x24',
      [`forge_mcp_requests_rejected_total{${mine},reason="overload"}`]: '0x13 60 120 180x24'
    },
    firing: {}
  },
  {
    title: 'sessions that are not found, where they are a part of all requests that counts',
    series: {
      ...well,
      [`forge_mcp_requests_rejected_total{${mine},reason="session"}`]: '0+20x40',
      [`forge_mcp_messages_total{${mine}}`]: '0+60x40',
      [`forge_mcp_requests_rejected_total{${other},reason="session"}`]: '0+20x40',
      [`forge_mcp_messages_total{${other}}`]: '0+600x40'
    },
    firing: { ForgeToolServerSessionsLost: [{ severity: 'warning', job: 'whatever' }] }
  },
  {
    title: 'sessions that are not found of a small team, and not of one client that is left over',
    series: {
      ...well,
      [`forge_mcp_requests_rejected_total{${mine},reason="session"}`]: '0+4x40',
      [`forge_mcp_messages_total{${mine}}`]: '0+6x40',
      [`forge_mcp_requests_rejected_total{${other},reason="session"}`]: '0+3x40',
      [`forge_mcp_messages_total{${other}}`]: '0+2x40'
    },
    firing: { ForgeToolServerSessionsLost: [{ severity: 'warning', job: 'whatever' }] }
  },
  {
    title: 'a forge that refuses most, however few callers there are, and none that refuses some',
    series: {
      ...well,
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="4xx"}`]: '0+6x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="home",outcome="2xx"}`]: '0+2x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="4xx"}`]: '0+20x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${mine},forge="callers",outcome="2xx"}`]: '0+60x40',
      [`forge_mcp_upstream_request_duration_seconds_count{${other},forge="home",outcome="4xx"}`]: '0+4x40'
    },
    firing: { ForgeToolServerForgeRefusing: [{ severity: 'warning', job: 'whatever', forge: 'home' }] }
  },
  {
    title: 'an event loop that is late, and no other Node.js program’s',
    series: {
      ...well,
      [`nodejs_eventloop_lag_p99_seconds{${mine}}`]: '0.9x40',
      [`nodejs_eventloop_lag_p99_seconds{${other}}`]: '0.9x40'
    },
    firing: { ForgeToolServerEventLoopSlow: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'settings that cannot be used, of the replica that has them',
    series: {
      ...well,
      [`forge_mcp_settings_refused{${mine}}`]: '1x40',
      [`forge_mcp_settings_refused{${other}}`]: '0x40'
    },
    firing: { ForgeToolServerSettingsRefused: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'logins that fail again and again, and not those that failed once',
    series: {
      ...well,
      [`forge_mcp_login_failures_total{${mine},reason="refused"}`]: '0x10 1+1x30',
      [`forge_mcp_login_failures_total{${other},reason="unasked"}`]: '0x10 1x30'
    },
    firing: { ForgeToolServerLoginsFailing: [{ severity: 'warning', job: 'whatever', reason: 'refused' }] }
  },
  {
    title: 'logins that another key has begun, where they are a part of all that counts',
    series: {
      ...well,
      [`forge_mcp_sealed_values_refused_total{${mine},purpose="cid",reason="key"}`]: '0+1x40',
      [`forge_mcp_http_request_duration_seconds_count{${mine},method="GET",route="/authorize",status="400"}`]:
        '0+1x40',
      [`forge_mcp_http_request_duration_seconds_count{${mine},method="POST",route="/token",status="200"}`]:
        '0+1x40',
      [`forge_mcp_sealed_values_refused_total{${other},purpose="cid",reason="key"}`]: '0+1x40',
      [`forge_mcp_sealed_values_refused_total{${other},purpose="cid",reason="spelling"}`]: '0+60x40',
      [`forge_mcp_http_request_duration_seconds_count{${other},method="GET",route="/authorize",status="302"}`]:
        '0+10x40',
      'forge_mcp_sealed_values_refused_total{job="whatever",instance="c",purpose="cid",reason="key"}':
        '0x9 5x31',
      'forge_mcp_http_request_duration_seconds_count{job="whatever",instance="c",method="GET",route="/authorize",status="400"}':
        '0x9 5x31'
    },
    firing: { ForgeToolServerLoginsOfOtherKey: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'lines of the log that are lost',
    series: { ...well, [`forge_mcp_log_lines_lost{${mine}}`]: '0+9x40' },
    firing: { ForgeToolServerLogLost: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'a log that cannot be written, before a line is lost, and not one of which a single write failed',
    series: {
      ...well,
      [`forge_mcp_log_lines_lost{${mine}}`]: '0x40',
      [`forge_mcp_log_failing{${mine}}`]: '1x40',
      [`forge_mcp_log_failing{${other}}`]: '0x19 1x0 0x20',
      'forge_mcp_log_failing{job="whatever",instance="new"}': '_x20 1 0x20'
    },
    firing: { ForgeToolServerLogLost: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'archives that cannot be saved',
    series: {
      ...well,
      [`forge_mcp_archives_not_saved_total{${mine}}`]: '0x10 1x30',
      [`forge_mcp_archives_not_saved_total{${other}}`]: '3x40'
    },
    firing: { ForgeToolServerArchivesNotSaved: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'a single request that has failed by a defect of the service',
    series: {
      ...well,
      [`forge_mcp_faults_total{${mine}}`]: '0x10 1x30',
      [`forge_mcp_faults_total{${other}}`]: '3x40'
    },
    firing: { ForgeToolServerFaults: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'calls of which one in ten takes long, and not one in fifty',
    series: { ...well, ...times(mine, 54), ...times(other, 59) },
    firing: { ForgeToolServerSlow: [{ severity: 'warning', job: 'whatever' }] }
  },
  {
    title: 'forges that may not be used, and credentials that are none, where they are many',
    series: {
      ...well,
      [`forge_mcp_requests_rejected_total{${mine},reason="url_forbidden"}`]: '0+60x40',
      [`forge_mcp_auth_failures_total{${mine},reason="rejected"}`]: '0+120x40',
      [`forge_mcp_requests_rejected_total{${other},reason="url_forbidden"}`]: '0+3x40',
      [`forge_mcp_auth_failures_total{${other},reason="rejected"}`]: '0+30x40'
    },
    firing: {
      ForgeToolServerForbiddenForges: [{ severity: 'info', job: 'whatever' }],
      ForgeToolServerAuthFailures: [{ severity: 'info', job: 'whatever', reason: 'rejected' }]
    }
  },
  {
    title: 'sessions in memory that are nearly as many as there may be',
    series: {
      ...well,
      [`forge_mcp_sessions_active{${mine}}`]: '9x40',
      [`forge_mcp_sessions_active{${other}}`]: '7x40',
      [`forge_mcp_sessions_max{${mine}}`]: '10x40',
      [`forge_mcp_sessions_max{${other}}`]: '10x40'
    },
    firing: { ForgeToolServerSessionsNearLimit: [{ severity: 'warning', job: 'whatever', instance: 'a' }] }
  },
  {
    title: 'requests that are turned away',
    series: { ...well, [`forge_mcp_requests_rejected_total{${mine},reason="capacity"}`]: '0+60x40' },
    firing: { ForgeToolServerRejecting: [{ severity: 'warning', job: 'whatever', reason: 'capacity' }] }
  }
]

/** The same series with an hour in which all is well again. */
const mended = (series: Case['series']): [string, string][] =>
  Object.entries({ [`forge_mcp_build_info{${mine},version="1"}`]: '_x40', ...series }).map(
    ([name, values]) => {
      const [, from, by, times] = /(\d+)\+(\d+)x(\d+)$/.exec(values) ?? []
      const counted = from === undefined ? 0 : Number(from) + Number(by) * Number(times)
      return [name, `${values} ${/^(up|forge_mcp_build_info)\b/.test(name) ? 1 : counted}x60`]
    }
  )

interface Rules {
  groups: { rules: { alert: string; annotations: { summary: string; runbook_url: string } }[] }[]
}
const rules = (parse(readFileSync(file, 'utf8')) as Rules).groups.flatMap(({ rules }) => rules)

t.test('alerts fire for what they are for, and end with it', { skip: withoutPromtool }, async t => {
  for (const { title, series, firing } of cases)
    await t.test(title, async t => {
      const fill = (text: string, labels: Record<string, string>) =>
        text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => labels[label] ?? '')
      const test = {
        interval: '1m',
        input_series: mended(series).map(([series, values]) => ({ series, values })),
        alert_rule_test: rules.flatMap(({ alert, annotations }) => [
          {
            eval_time: '20m',
            alertname: alert,
            exp_alerts: (firing[alert] ?? []).map(labels => ({
              exp_labels: labels,
              exp_annotations: { ...annotations, summary: fill(annotations.summary, labels) }
            }))
          },
          // And ends when the trouble has.
          { eval_time: '90m', alertname: alert, exp_alerts: [] }
        ])
      }
      t.equal(promtest(test, file), '')
    })
})
