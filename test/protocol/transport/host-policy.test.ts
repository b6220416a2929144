import t from 'tap'
import { checkSettings } from '../../../src/config/load.ts'
import { hostPolicy } from '../../../src/protocol/transport/host-policy.ts'

t.test('a name of MCP_ALLOWED_HOSTS is that host in capitals or not', async t => {
  const policy = hostPolicy(checkSettings({ MCP_ALLOWED_HOSTS: 'Tools.Example,MCP.example:8443' }))
  for (const host of ['tools.example', 'TOOLS.example:3000', 'mcp.example:8443'])
    t.equal(policy.host(host), true, host)
  for (const host of ['mcp.example', 'example', undefined]) t.equal(policy.host(host), false, `${host}`)
})
