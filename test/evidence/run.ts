import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { report } from './report.ts'
import { clear } from './support/ledger.ts'

/* npm run test:evidence: all parts one after the other, then what they came to. */

const folder = fileURLToPath(new URL('.', import.meta.url))
const parts = readdirSync(folder).filter(file => file.endsWith('.evidence.ts'))
const options = ['run', '--disable-coverage', '--jobs=1', '--timeout=300']

clear()
const tap = spawn('tap', [...options, ...parts.map(file => folder + file)], { stdio: 'inherit' })
const code = await new Promise<number>(resolve =>
  tap.once('error', () => resolve(1)).once('close', left => resolve(left ?? 1))
)
const isFine = report(code === 0)
clear()
process.exitCode = isFine ? 0 : 1
