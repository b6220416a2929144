import t from 'tap'
import { only, refusal, render, type Values } from './helm.ts'

/* What the chart refuses, and with which words. `.ci/chart` runs these tests: they need Helm. */

interface Refused extends Values {
  title: string
  says: RegExp
}

const secret = { 'existingSecret.name': 'keys' }

const sentences: Refused[] = [
  {
    title: 'stateless mode without a sealing key',
    values: { 'makeSecret.enabled': false },
    says: /Stateless mode needs a sealing key.*openssl rand/
  },
  {
    title: 'stateless mode with a Secret of which no key is the sealing key',
    values: { ...secret, 'existingSecret.keys.OAUTH_STATELESS_SECRET': null },
    says: /OAUTH_STATELESS_MODE=true needs existingSecret\.keys\.OAUTH_STATELESS_SECRET/
  },
  {
    title: 'stateless mode without a name for the sealing key that is made',
    values: { 'existingSecret.keys.OAUTH_STATELESS_SECRET': null },
    says: /OAUTH_STATELESS_MODE=true needs existingSecret\.keys\.OAUTH_STATELESS_SECRET/
  },
  {
    title: 'archives of callers that fill what the pod has',
    values: { 'config.FORGE_DOWNLOAD_DIR': '/tmp' },
    says: /FORGE_DOWNLOAD_TOTAL_MB \(4096\) must be below tmpSizeLimit \(64Mi\)/
  },
  {
    title: 'archives of callers that fill what the pod has, in larger numbers',
    values: { 'config.FORGE_DOWNLOAD_DIR': '/tmp', tmpSizeLimit: '4Gi' },
    says: /FORGE_DOWNLOAD_TOTAL_MB \(4096\) must be below tmpSizeLimit \(4Gi\)/
  },
  {
    title: 'archives of callers that fill what the pod has, of the service’s own number',
    values: { 'config.FORGE_DOWNLOAD_DIR': '/tmp', 'config.FORGE_DOWNLOAD_TOTAL_MB': '' },
    says: /FORGE_DOWNLOAD_TOTAL_MB \(4096\) must be below tmpSizeLimit \(64Mi\)/
  },
  {
    title: 'archives of callers that leave no room for their folders',
    values: { 'config.FORGE_DOWNLOAD_DIR': '/tmp', tmpSizeLimit: '4316Mi' },
    says: /FORGE_DOWNLOAD_TOTAL_MB \(4096\) must be below tmpSizeLimit \(4316Mi\) by a twentieth of itself and 16 MiB/
  },
  ...['1Gi', '4.2G', 4294967296].map(sizeLimit => ({
    title: `archives of callers that fill a volume of the operator’s own, of ${sizeLimit}`,
    values: {
      'config.FORGE_DOWNLOAD_DIR': '/archives/mcp',
      extraVolumes: [{ name: 'archives', emptyDir: { sizeLimit } }],
      extraVolumeMounts: [{ name: 'archives', mountPath: '/archives' }]
    },
    says: new RegExp(
      `TOTAL_MB \\(4096\\) must be below the sizeLimit of the volume archives \\(${sizeLimit}\\)`
    )
  })),
  ...['64Mi', '192M', 134217728].map(memory => ({
    title: `a limit of memory below what the service needs, ${memory}`,
    set: 'minimal',
    values: { 'resources.limits.memory': memory },
    says: new RegExp(`resources\\.limits\\.memory \\(${memory}\\) must be at least 192Mi`)
  })),
  ...[
    '--max-old-space-size=400',
    '--max_old_space_size=205',
    '--max-old-space-size=100 --max-old-space-size=205',
    '--max-old-space-size-percentage=95',
    '--max-old-space-size-percentage 95'
  ].map(nodeOptions => ({
    title: `a heap that does not fit into the memory, ${nodeOptions}`,
    set: 'minimal',
    values: { 'resources.limits.memory': '256Mi', nodeOptions },
    says: /nodeOptions lets the heap grow to (400|205|243) MiB.* resources\.limits\.memory \(256Mi\)/
  })),
  ...['size=0', 'size-percentage=0', 'size-percentage 0.0 --v8-pool-size=1'].map(zero => ({
    title: `a heap of nothing, ${zero}`,
    set: 'minimal',
    values: { nodeOptions: `--max-old-space-${zero}` },
    says: /nodeOptions has 0 for the heap/
  })),
  {
    title: 'a size of the heap that Node does not read',
    set: 'minimal',
    values: { nodeOptions: '--max-old-space-size 300' },
    says: /nodeOptions has a blank after max-old-space-size/
  },
  ...Object.entries({
    '512m': '512m is 0\\.512 bytes to Kubernetes, where m stands for thousandths: write 512Mi',
    '512MB': '"512MB" is no quantity of Kubernetes: write 512Mi',
    '512MiB': '"512MiB" is no quantity of Kubernetes: write 512Mi',
    '1.5g': '"1\\.5g" is no quantity of Kubernetes: write 1\\.5Gi',
    much: '"much" is no quantity of Kubernetes: write 512Mi or 1Gi'
  }).flatMap(([memory, says]) =>
    ['resources.limits.memory', 'resources.requests.memory', 'makeSecret.resources.limits.memory'].map(
      path => ({
        title: `memory as it is written elsewhere, ${path}=${memory}`,
        set: 'minimal',
        values: { [path]: memory },
        says: new RegExp(`${path.replaceAll('.', '\\.')}: ${says}`)
      })
    )
  ),
  ...['limits', 'requests'].map(kind => ({
    title: `a CPU of no number among ${kind}`,
    set: 'minimal',
    values: { [`resources.${kind}.cpu`]: 'half' },
    says: new RegExp(
      `resources\\.${kind}\\.cpu: "half" is no quantity of Kubernetes: write a number, or thous`
    )
  })),
  {
    title: 'memory of a container of the operator’s own as it is written elsewhere',
    set: 'minimal',
    values: { extraContainers: [{ name: 'sidecar', resources: { limits: { memory: '1g' } } }] },
    says: /extraContainers\[0\]\.resources\.limits\.memory: "1g" is no quantity of Kubernetes: write 1Gi/
  },
  {
    title: 'a volume whose size is written as it is elsewhere',
    set: 'minimal',
    values: { extraVolumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1GB' } }] },
    says: /extraVolumes\[0\]\.emptyDir\.sizeLimit: "1GB" is no quantity of Kubernetes: write 1Gi/
  },
  {
    title: 'a heap that does not fit into memory that is written with an exponent',
    set: 'minimal',
    values: { 'resources.limits.memory': '25e7', nodeOptions: '--max-old-space-size=400' },
    says: /nodeOptions lets the heap grow to 400 MiB/
  },
  ...Object.entries({ memory: ['1Gi', '512Mi'], cpu: ['2', '1500m'] }).map(
    ([resource, [request, limit]]) => ({
      title: `more ${resource} that is asked for than may be taken`,
      set: 'minimal',
      values: { [`resources.requests.${resource}`]: request, [`resources.limits.${resource}`]: limit },
      says: new RegExp(
        `requests\\.${resource} \\(${request}\\) must not be above resources\\.limits\\.${resource} \\(${limit}\\)`
      )
    })
  ),
  {
    title: 'a limit of memory below what the chart asks for',
    set: 'minimal',
    values: { 'resources.limits.memory': '192Mi' },
    says: /Where you have set none, the request is the chart's default: set resources\.requests\.memory as well, or null/
  },
  {
    title: 'more of a resource without a default that is asked for than may be taken',
    set: 'minimal',
    values: {
      'resources.requests': { 'ephemeral-storage': '2Gi' },
      'resources.limits': { 'ephemeral-storage': '1Gi' }
    },
    says: /requests\.ephemeral-storage \(2Gi\) must not be above [^:]*: Kubernetes takes no such pod\.\n/
  },
  {
    title: 'a container of the operator’s own that asks for more than it may take',
    set: 'minimal',
    values: {
      extraContainers: [{ name: 'sidecar', resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }]
    },
    says: /requests\.cpu \(2\) must not be above [^:]*: Kubernetes takes no such pod\.\n/
  },
  {
    title: 'a label that the chart sets itself',
    set: 'minimal',
    values: { commonLabels: { 'app.kubernetes.io/part-of': 'tools' } },
    says: /commonLabels has app\.kubernetes\.io\/part-of="tools", which the chart sets to "forge-tool-server"/
  },
  ...[
    { podLabels: { 'app.kubernetes.io/instance': 'mine' } },
    { podLabels: { team: 'a' }, commonLabels: { team: 'b' } }
  ].map(values => ({
    title: `a label that pods have already, ${Object.keys(values.podLabels)[0]}`,
    set: 'minimal',
    values,
    says: /podLabels has (?:app\.kubernetes\.io\/instance|team)="(?:mine|a)", which/
  })),
  ...['serviceMonitor', 'prometheusRule'].map(object => ({
    title: `a label of the ${object} that all objects have with another value`,
    set: 'minimal',
    values: {
      commonLabels: { release: 'a' },
      [`metrics.${object}.enabled`]: true,
      [`metrics.${object}.labels`]: { release: 'b' }
    },
    says: new RegExp(`metrics\\.${object}\\.labels has release="b", which commonLabels sets to "a"`)
  })),
  {
    title: 'an annotation that would keep a changed configuration from pods',
    set: 'minimal',
    values: { podAnnotations: { 'checksum/config': '1' } },
    says: /podAnnotations has checksum\/config, by which the chart rolls pods/
  },
  {
    title: 'archives in memory that the pod does not have',
    values: {
      'config.FORGE_DOWNLOAD_DIR': '/archives',
      'config.FORGE_DOWNLOAD_TOTAL_MB': 600,
      extraVolumes: [{ name: 'archives', emptyDir: { medium: 'Memory' } }],
      extraVolumeMounts: [{ name: 'archives', mountPath: '/archives' }]
    },
    says: /resources\.limits\.memory \(768Mi\) must be at least 838Mi: an emptyDir of medium Memory counts/
  },
  {
    title: 'a volume in memory that is larger than that',
    values: {
      extraVolumes: [{ name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
      extraVolumeMounts: [{ name: 'scratch', mountPath: '/scratch' }]
    },
    says: /resources\.limits\.memory \(768Mi\) must be at least 1216Mi/
  },
  {
    title: 'a heap that does not fit beside a volume in memory',
    values: {
      nodeOptions: '--max-old-space-size=600',
      extraVolumes: [{ name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } }],
      extraVolumeMounts: [{ name: 'scratch', mountPath: '/scratch' }]
    },
    says: /nodeOptions lets the heap grow to 600 MiB.*, less what an emptyDir of medium Memory may take/
  },
  {
    title: 'a disk too small for /tmp and the log',
    values: { 'resources.limits': { memory: '512Mi', 'ephemeral-storage': '100Mi' } },
    says: /resources\.limits\.ephemeral-storage \(100Mi\) must be at least 114Mi: tmpSizeLimit/
  },
  {
    title: 'a disk too small for the archives of a volume of which nothing is said',
    values: {
      'config.FORGE_DOWNLOAD_DIR': '/archives/mcp',
      'resources.limits': { memory: '512Mi', 'ephemeral-storage': '4Gi' },
      extraVolumes: [{ name: 'archives', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'archives', mountPath: '/archives' }]
    },
    says: /resources\.limits\.ephemeral-storage \(4Gi\) must be at least 4431Mi/
  },
  {
    title: "a disk too small for archives in the container's own file system",
    values: {
      'config.FORGE_DOWNLOAD_DIR': '/archives',
      'resources.limits': { memory: '512Mi', 'ephemeral-storage': '4Gi' },
      'securityContext.readOnlyRootFilesystem': false
    },
    says: /resources\.limits\.ephemeral-storage \(4Gi\) must be at least 4431Mi/
  },
  {
    title: 'a value in quotation marks',
    values: { 'config.FORGE_PROJECT_ID': '"41"' },
    says: /config\.FORGE_PROJECT_ID is in quotation marks/
  },
  {
    title: 'a value that nobody filled in',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what was meant to be filled in
    values: { 'config.FORGE_ALLOWED_PROJECT_IDS': '${PROJECTS}' },
    says: /config\.FORGE_ALLOWED_PROJECT_IDS has the name of a variable/
  },
  {
    title: 'a path from home',
    values: { 'config.FORGE_DOWNLOAD_DIR': '~/archives' },
    says: /config\.FORGE_DOWNLOAD_DIR begins with ~/
  },
  {
    title: 'a release whose name no Service may have',
    release: '4ge',
    set: 'minimal',
    says: /No Service may be named 4ge-forge-tool-server.*: set fullnameOverride/
  },
  {
    title: 'a full name that no Service may have',
    set: 'minimal',
    values: { fullnameOverride: 'tools.example' },
    says: /No Service may be named tools\.example/
  },
  {
    title: 'several replicas with sessions in memory',
    values: { 'config.OAUTH_STATELESS_MODE': false },
    says: /More than one replica needs config\.OAUTH_STATELESS_MODE=true/
  },
  {
    title: 'autoscaling with sessions in memory',
    set: 'single',
    values: { 'autoscaling.enabled': true },
    says: /More than one replica needs config\.OAUTH_STATELESS_MODE=true/
  },
  {
    title: 'neither callers’ tokens nor logins',
    values: { ...secret, 'config.REMOTE_AUTHORIZATION': false },
    says: /config\.REMOTE_AUTHORIZATION=true .* or config\.FORGE_MCP_OAUTH=true/
  },
  {
    title: 'OAuth without a public URL',
    set: 'oauth-gateway',
    values: { 'config.MCP_SERVER_URL': '' },
    says: /FORGE_MCP_OAUTH=true needs config\.MCP_SERVER_URL/
  },
  {
    title: 'OAuth without an application on the forge',
    set: 'oauth-gateway',
    values: { 'config.FORGE_OAUTH_APP_ID': '' },
    says: /FORGE_MCP_OAUTH=true needs config\.FORGE_OAUTH_APP_ID/
  },
  {
    title: 'forges named by callers without an allow-list or a ban on private addresses',
    set: 'dynamic',
    values: { 'config.FORGE_ALLOWED_HOSTS': '', 'config.FORGE_DENY_PRIVATE_ADDRESSES': false },
    says: /set config\.FORGE_ALLOWED_HOSTS .* or config\.FORGE_DENY_PRIVATE_ADDRESSES=true/
  },
  {
    title: 'forges named by callers who bring no tokens',
    set: 'dynamic',
    values: {
      'config.REMOTE_AUTHORIZATION': false,
      'config.FORGE_MCP_OAUTH': true,
      'config.FORGE_OAUTH_APP_ID': 'x',
      'config.MCP_SERVER_URL': 'https://mcp.example.com'
    },
    says: /ENABLE_DYNAMIC_API_URL=true needs config\.REMOTE_AUTHORIZATION=true/
  },
  {
    title: 'less grace than draining needs',
    set: 'minimal',
    values: { terminationGracePeriodSeconds: 60 },
    says: /terminationGracePeriodSeconds must be at least 145/
  },
  {
    title: 'an autoscaler upside down',
    set: 'minimal',
    values: { 'autoscaling.enabled': true, 'autoscaling.minReplicas': 11 },
    says: /minReplicas must not be above autoscaling\.maxReplicas/
  },
  {
    title: 'an autoscaler without a target',
    set: 'minimal',
    values: { 'autoscaling.enabled': true, 'autoscaling.targetCPUUtilizationPercentage': null },
    says: /autoscaling\.enabled=true needs a target/
  },
  {
    title: 'an autoscaler by a share of no CPU',
    set: 'minimal',
    values: { 'autoscaling.enabled': true, 'resources.requests.cpu': null },
    says: /targetCPUUtilizationPercentage is a share of resources\.requests\.cpu/
  },
  {
    title: 'an autoscaler by a share of no memory',
    set: 'minimal',
    values: {
      'autoscaling.enabled': true,
      'autoscaling.targetMemoryUtilizationPercentage': 80,
      'resources.requests.memory': null,
      'resources.limits.memory': null
    },
    says: /targetMemoryUtilizationPercentage is a share of resources\.requests\.memory/
  },
  {
    title: 'a scrape that may take longer than the time to the next',
    set: 'minimal',
    values: { 'metrics.serviceMonitor.enabled': true, 'metrics.serviceMonitor.interval': '5s' },
    says: /scrapeTimeout \(10s\) must not exceed metrics\.serviceMonitor\.interval \(5s\)/
  },
  {
    title: 'a scrape that may take longer than the time to the next, in other units',
    set: 'minimal',
    values: {
      'metrics.serviceMonitor.enabled': true,
      'metrics.serviceMonitor.interval': '1m',
      'metrics.serviceMonitor.scrapeTimeout': '1m500ms'
    },
    says: /scrapeTimeout \(1m500ms\) must not exceed/
  },
  {
    title: 'an autoscaler that waits for more calls than go to a forge at once',
    set: 'keda',
    values: { 'autoscaling.targetCallsInFlight': 512 },
    says: /targetCallsInFlight \(512\) must be below config\.FORGE_MAX_CONCURRENCY \(512\)/
  },
  {
    title: 'KEDA without a number of calls',
    set: 'keda',
    values: { 'autoscaling.targetCallsInFlight': null },
    says: /set that, and leave autoscaling\.metrics empty/
  },
  {
    title: 'KEDA with metrics of a HorizontalPodAutoscaler',
    set: 'keda',
    values: { 'autoscaling.metrics': [{ type: 'Pods' }] },
    says: /set that, and leave autoscaling\.metrics empty/
  },
  {
    title: 'two disruption budgets in one',
    set: 'minimal',
    values: { 'podDisruptionBudget.minAvailable': 1 },
    says: /minAvailable or maxUnavailable, not both/
  },
  {
    title: 'a disruption budget that keeps every replica',
    set: 'minimal',
    values: { 'podDisruptionBudget.minAvailable': 2, 'podDisruptionBudget.maxUnavailable': null },
    says: /no node could be drained: minAvailable must be below the least number of replicas \(2\)/
  },
  {
    title: 'a disruption budget that keeps every replica, in percent',
    set: 'minimal',
    values: { 'podDisruptionBudget.minAvailable': '100%', 'podDisruptionBudget.maxUnavailable': null },
    says: /no node could be drained/
  },
  {
    title: 'a disruption budget that keeps every replica once its percentage is rounded up',
    set: 'minimal',
    values: { 'podDisruptionBudget.minAvailable': '80%', 'podDisruptionBudget.maxUnavailable': null },
    says: /no node could be drained: .* replicas \(2\), a percentage rounded up/
  },
  {
    title: 'a disruption budget that lets no pod go where an autoscaler may add some to one',
    set: 'minimal',
    values: {
      'autoscaling.enabled': true,
      'autoscaling.minReplicas': 1,
      'podDisruptionBudget.maxUnavailable': 0
    },
    says: /no node could be drained: .* or maxUnavailable at least 1/
  },
  {
    title: 'a disruption budget that keeps what an autoscaler keeps',
    set: 'minimal',
    values: {
      replicaCount: 6,
      'autoscaling.enabled': true,
      'autoscaling.minReplicas': 3,
      'podDisruptionBudget.minAvailable': '67%',
      'podDisruptionBudget.maxUnavailable': null
    },
    says: /no node could be drained: .* replicas \(3\)/
  },
  {
    title: 'a disruption budget that lets none be unavailable, in percent',
    set: 'minimal',
    values: { 'podDisruptionBudget.maxUnavailable': '0%' },
    says: /no node could be drained/
  },
  {
    title: 'a disruption budget that lets none be unavailable',
    set: 'minimal',
    values: { 'podDisruptionBudget.maxUnavailable': 0 },
    says: /no node could be drained: .* or maxUnavailable at least 1/
  },
  {
    title: 'settings in a mount that never changes',
    set: 'minimal',
    values: {
      'config.FORGE_SETTINGS_PATH': '/etc/forge/settings',
      'extraVolumeMounts[0].name': 'settings',
      'extraVolumeMounts[0].mountPath': '/etc/forge/settings',
      'extraVolumeMounts[0].subPath': 'settings'
    },
    says: /mount the whole ConfigMap as a folder, without subPath/
  },
  {
    title: 'the folder of settings in place of the file',
    set: 'minimal',
    values: {
      'config.FORGE_SETTINGS_PATH': '/etc/forge-settings',
      'extraVolumeMounts[0].name': 'settings',
      'extraVolumeMounts[0].mountPath': '/etc/forge-settings'
    },
    says: /FORGE_SETTINGS_PATH is the mountPath .*: name the file in it/
  },
  {
    title: 'a secret among the variables',
    set: 'minimal',
    values: { 'config.HTTPS_PROXY': 'http://me:word@proxy:3128' },
    says: /^(?!.*:word@).*config\.HTTPS_PROXY is a secret.*existingSecret\.name/s
  },
  {
    title: 'a sealing key among the variables',
    set: 'minimal',
    values: { 'config.OAUTH_STATELESS_SECRET': 'secret' },
    says: /config\.OAUTH_STATELESS_SECRET is a secret/
  },
  {
    title: 'a token for everybody',
    set: 'minimal',
    values: { 'config.FORGE_PERSONAL_ACCESS_TOKEN': 'glpat-x' },
    says: /config\.FORGE_PERSONAL_ACCESS_TOKEN has no place/
  },
  {
    title: 'a variable that another value sets',
    set: 'minimal',
    values: { 'config.PORT': 8080 },
    says: /config\.PORT is the value containerPort/
  },
  ...Object.entries({
    HOST: 'always ::',
    PORT: 'the value containerPort',
    NODE_OPTIONS: 'the value nodeOptions',
    DRAIN_SECONDS: 'the value config\\.DRAIN_SECONDS',
    OAUTH_STATELESS_MODE: 'the value config\\.OAUTH_STATELESS_MODE',
    HTTPS_PROXY: 'a secret'
  }).map(([name, what]) => ({
    title: `an extra variable that sets ${name} past its value`,
    set: 'minimal',
    values: { extraEnv: [{ name, value: '1' }] },
    says: new RegExp(`extraEnv has ${name}, which is ${what}`)
  })),
  ...Object.entries({
    https_proxy: 'HTTPS_PROXY is a secret',
    no_proxy: 'use the value config\\.NO_PROXY'
  }).map(([name, what]) => ({
    title: `an extra variable in small letters, which other programs read, ${name}`,
    set: 'minimal',
    values: { extraEnv: [{ name, value: 'proxy.example' }] },
    says: new RegExp(`extraEnv has ${name}, which the service does not read: ${what}`)
  })),
  ...[5, 1.5, true].map(value => ({
    title: `an extra variable that is no text, ${value}`,
    set: 'minimal',
    values: { extraEnv: [{ name: 'UV_THREADPOOL_SIZE', value }] },
    says: new RegExp(`UV_THREADPOOL_SIZE with a value that is no text \\(${value}\\): put it into quotation`)
  })),
  ...Object.entries({ nodePort: 30080, externalTrafficPolicy: 'Local' }).map(([field, value]) => ({
    title: `a ${field} of a service that stays inside`,
    set: 'minimal',
    values: { [`service.${field}`]: value },
    says: new RegExp(`service\\.${field} needs service\\.type=NodePort or LoadBalancer`)
  })),
  ...['/^delete_/', '/delete/i'].map(pattern => ({
    title: `a pattern of denied tools as it is written in code, ${pattern}`,
    set: 'minimal',
    values: { 'config.FORGE_DENIED_TOOLS_REGEX': pattern },
    says: /FORGE_DENIED_TOOLS_REGEX has slashes around it, .* nothing would be denied/
  })),
  {
    title: 'settings that nothing mounts',
    set: 'minimal',
    values: {
      'config.FORGE_SETTINGS_PATH': '/etc/forge/settings',
      'extraVolumeMounts[0].name': 'other',
      'extraVolumeMounts[0].mountPath': '/etc/forge-other'
    },
    says: /FORGE_SETTINGS_PATH is in none of extraVolumeMounts/
  },
  {
    title: 'an image whose name has a tag already',
    set: 'minimal',
    values: { 'image.repository': 'registry.example.com:5000/tools/forge-tool-server:0.1.0' },
    says: /image\/repository.*does not match pattern/
  },
  {
    title: 'an image whose name has a scheme',
    set: 'minimal',
    values: { 'image.repository': 'https://registry.example.com/tools/forge-tool-server' },
    says: /image\/repository.*does not match pattern/
  },
  {
    title: 'a route for any name of a domain, none of which the service would take',
    set: 'minimal',
    values: { 'ingress.enabled': true, 'ingress.hosts': ['mcp.example.com', '*.example.com'] },
    says: /^(?!.*mcp\.example\.com is a route).*\*\.example\.com is a route .*config\.MCP_ALLOWED_HOSTS/s
  },
  {
    title: 'an ingress for no host',
    set: 'minimal',
    values: { 'ingress.enabled': true },
    says: /needs ingress\.hosts/
  },
  {
    title: 'a route of no gateway',
    set: 'minimal',
    values: { 'httpRoute.enabled': true },
    says: /needs httpRoute\.parentRefs/
  },
  {
    title: 'metrics on the port of MCP',
    set: 'minimal',
    values: { 'metrics.port': 3000 },
    says: /metrics\.port must differ from containerPort/
  }
]

for (const { title, says, ...values } of sentences)
  t.test(`refuses with a sentence: ${title}`, async t => {
    t.match(refusal(values), says)
  })

const shapes: [path: string, value: unknown][] = [
  ['nonsense', 1],
  ['image.nonsense', 1],
  ['ingress.nonsense', 1],
  ['networkPolicy.egress.nonsense', 1],
  ['metrics.serviceMonitor.nonsense', 1],
  ['existingSecret.keys.FORGE_PERSONAL_ACCESS_TOKEN', 'token'],
  ['config.FORGE_API_ULR', 'https://forge.example.com'],
  ['config.DRAIN_SECONDS', -1],
  ['config.DRAIN_SECONDS', '15'],
  ['config.LOG_LEVEL', 'loud'],
  ['config.FORGE_PROJECT_ID', 4.5],
  ['config.FORGE_PROJECT_ID', 1e20],
  ['config.FORGE_OAUTH_APP_ID', 12e4],
  ['config.RUNTIME_TLS_REJECT_UNAUTHORIZED', 2],
  ['config.FORGE_MCP_OAUTH', 'yes'],
  ['image.digest', 'sha256:short'],
  ['image.registry', 'https://registry.example.com'],
  ['image.pullPolicy', 'Sometimes'],
  ['replicaCount', 'two'],
  ['replicaCount', -1],
  ['containerPort', 80],
  ['service.port', 0],
  ['service.type', 'ExternalName'],
  ['ingress.hosts', ['https://mcp.example.com']],
  ['extraPaths', ['docs']],
  ['networkPolicy.egress.cidrs', ['everything']],
  ['networkPolicy.egress.cidrs', ['10.0.0.0/33']],
  ['networkPolicy.egress.cidrs', ['256.0.0.0/8']],
  ['networkPolicy.egress.cidrs', ['fd00::/129']],
  ['metrics.serviceMonitor.interval', 'often'],
  ['metrics.prometheusRule.runbookBaseUrl', 'git.example'],
  ['tmpSizeLimit', 'big'],
  ['tmpSizeLimit', '0.5Gi'],
  ['tmpSizeLimit', '1.2.3Mi'],
  ['tmpSizeLimit', '65536Ki'],
  ['tmpSizeLimit', '1Ti'],
  ['tmpSizeLimit', '67108864'],
  ['tmpSizeLimit', '0Mi'],
  ['podDisruptionBudget.minAvailable', 'half'],
  ['podDisruptionBudget.minAvailable', '101%'],
  ['podDisruptionBudget.maxUnavailable', -1]
]

for (const [path, value] of shapes)
  t.test(`refuses ${path}=${JSON.stringify(value)} by its schema`, async t => {
    t.match(
      refusal({ set: 'minimal', values: { [path]: value } }),
      /don't meet the specifications of the schema/
    )
  })

for (const path of ['config', 'ingress', 'networkPolicy.egress', 'metrics.serviceMonitor'])
  t.test(`names the section that was left empty: ${path}`, async t => {
    const name = path.split('.').at(-1)
    t.match(refusal({ set: 'minimal', values: { [path]: null } }), new RegExp(`missing property '${name}'`))
  })

t.test('takes a disruption budget that lets one pod go, as Kubernetes rounds', async t => {
  const budget = (least: number, minAvailable: unknown, maxUnavailable: unknown) =>
    refusal({
      set: 'minimal',
      values: {
        replicaCount: least,
        'podDisruptionBudget.minAvailable': minAvailable,
        'podDisruptionBudget.maxUnavailable': maxUnavailable
      }
    })
  t.equal(budget(2, '50%', null), '')
  t.equal(budget(3, '66%', null), '')
  t.equal(budget(100, '99%', null), '')
  t.equal(budget(2, null, '1%'), '')
  t.equal(budget(2, '0%', null), '')
  t.equal(budget(1, '100%', null), '', 'of one pod there is no budget')
})

t.test('takes memory and CPU as Kubernetes writes them', async t => {
  const limited = (limits: object) => refusal({ set: 'minimal', values: { 'resources.limits': limits } })
  for (const memory of ['0.5Gi', '512Mi', '5E8', '+1Gi', 536_870_912, '1P', '536870912000m', null])
    t.equal(limited({ memory }), '', `${memory}`)
  for (const cpu of ['250m', '1500000u', '1', 0.5, 2, null]) t.equal(limited({ cpu }), '', `${cpu}`)
})

t.test('takes extra variables of text, and those that come from elsewhere', async t => {
  const extraEnv = [
    { name: 'UV_THREADPOOL_SIZE', value: '5' },
    { name: 'EMPTY' },
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }
  ]
  t.equal(refusal({ set: 'minimal', values: { extraEnv } }), '')
})

t.test('takes an autoscaler by shares of what pods ask for, or are limited to', async t => {
  const scaled = (values: Record<string, unknown>) =>
    refusal({ set: 'minimal', values: { 'autoscaling.enabled': true, ...values } })
  t.equal(scaled({ 'resources.requests.cpu': null, 'resources.limits.cpu': '1' }), '')
  t.equal(
    scaled({ 'resources.requests.memory': null, 'autoscaling.targetMemoryUtilizationPercentage': 80 }),
    '',
    'the limit is the chart’s own'
  )
  t.equal(
    scaled({
      'resources.requests.cpu': null,
      'autoscaling.targetCPUUtilizationPercentage': null,
      'autoscaling.targetCallsInFlight': 200
    }),
    ''
  )
})

t.test('takes a scrape that may take all the time to the next', async t => {
  const scraped = (interval: unknown, scrapeTimeout: unknown) =>
    refusal({
      set: 'minimal',
      values: {
        'metrics.serviceMonitor.enabled': true,
        'metrics.serviceMonitor.interval': interval,
        'metrics.serviceMonitor.scrapeTimeout': scrapeTimeout
      }
    })
  t.equal(scraped('10s', '10s'), '')
  t.equal(scraped('1m', '59s999ms'), '')
  t.equal(scraped(null, '10s'), '', 'Prometheus has its own')
})

t.test('takes the empty text for a variable, which leaves it to the service', async t => {
  const { data } = only(
    render({ set: 'minimal', values: { 'config.MAX_SESSIONS': '', 'config.LOG_LEVEL': '' } }),
    'ConfigMap'
  )
  t.notOk('MAX_SESSIONS' in data)
  t.notOk('LOG_LEVEL' in data)
  t.equal(
    refusal({ set: 'minimal', values: { commonAnnotations: null } }),
    '',
    'labels and annotations may be left empty'
  )
})
