import { Refusal, runLive } from './run.ts'

/* npm run test:live, by hand only: what a real forge does with every tool. */

const wanted = {
  FORGE_API_URL: 'the forge, with /api/v4',
  FORGE_LIVE_TOKEN: 'a token with the scope api of someone who may make projects in the group',
  FORGE_LIVE_NAMESPACE: 'the full path of a group that was made for this and is empty'
}
const missing = Object.entries(wanted).filter(([name]) => !process.env[name])
if (missing.length > 0) {
  console.error(['Set', ...missing.map(([name, what]) => `  ${name}: ${what}`)].join('\n'))
  process.exit(1)
}
try {
  await runLive({
    apiUrl: process.env.FORGE_API_URL!.replace(/\/$/, ''),
    token: process.env.FORGE_LIVE_TOKEN!,
    namespace: process.env.FORGE_LIVE_NAMESPACE!,
    print: line => console.log(line)
  })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}
