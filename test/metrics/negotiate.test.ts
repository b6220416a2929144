import t from 'tap'
import { metricsFormat } from '../../src/metrics/negotiate.ts'

// The Accept headers that Prometheus releases send.
const scrapers: [release: string, accept: string, format: string][] = [
  [
    '2.33',
    'application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'prometheus'
  ],
  [
    '2.48',
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'openmetrics'
  ],
  [
    '2.40.0',
    'application/openmetrics-text;version=1.0.0;q=0.75,application/openmetrics-text;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'openmetrics'
  ],
  [
    '2.49.0, whose wildcard weighs 2',
    'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=2',
    'openmetrics'
  ],
  [
    '2.55',
    'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics'
  ],
  [
    '3.2.0, which names a parameter twice',
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;escaping=allow-utf-8;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;escaping=allow-utf-8;q=0.3,*/*;q=0.2',
    'openmetrics'
  ],
  [
    '3.4',
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics'
  ],
  ['3.4 with PrometheusText0.0.4 alone', 'text/plain;version=0.0.4;q=0.6,*/*;q=0.5', 'prometheus'],
  [
    '3 with native histograms',
    'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
    'openmetrics'
  ]
]

for (const [release, accept, format] of scrapers)
  t.test(`Prometheus ${release} gets text`, async t => t.equal(metricsFormat(accept), format))

const json: (string | undefined)[] = [
  undefined,
  '',
  '*/*',
  'text/*',
  'application/json, text/plain, */*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'application/json',
  'application/*',
  'text/plain;q=0',
  'text/plain;q=nonsense',
  'application/json;q=0.5, text/plain;q=0.5',
  'application/json;q=9, text/plain;q=1',
  ';;;,,,'
]
for (const accept of json)
  t.test(`Accept ${JSON.stringify(accept)} gets JSON`, async t => t.equal(metricsFormat(accept), 'json'))

const text: [accept: string, format: string][] = [
  ['text/plain', 'prometheus'],
  ['TEXT/PLAIN; VERSION=0.0.4', 'prometheus'],
  ['application/openmetrics-text', 'openmetrics'],
  ['application/json;q=0.4, text/plain;q=0.5', 'prometheus'],
  ['text/plain;q=7, application/json;q=0.9', 'prometheus']
]
for (const [accept, format] of text)
  t.test(`Accept ${accept} gets ${format}`, async t => t.equal(metricsFormat(accept), format))

t.test('?format wins over Accept, and one that is none is none', async t => {
  t.equal(metricsFormat('application/json', 'prometheus'), 'prometheus')
  t.equal(metricsFormat('text/plain', 'json'), 'json')
  t.equal(metricsFormat(undefined, 'openmetrics'), 'openmetrics')
  t.equal(metricsFormat('text/plain', 'xml'), undefined)
  t.equal(metricsFormat('text/plain', ''), undefined)
})
