import { parseArgs } from 'node:util'
import { startForge } from './index.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const forge = await startForge({ port: Number(values.port), sample: true })

console.log(`Sandbox forge with sample data: ${forge.url}`)
console.log(`FORGE_API_URL=${forge.apiUrl}`)
for (const [name, token] of Object.entries(forge.tokens)) console.log(`${name.padEnd(10)} ${token}`)

const stop = async () => {
  for (const sentence of forge.violations) console.log(`contract: ${sentence}`)
  await forge.close()
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
