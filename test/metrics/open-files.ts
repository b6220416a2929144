import { closeSync, openSync } from 'node:fs'
import { ProcessMetrics } from '../../src/metrics/process-metrics.ts'

/* Prints how many files a process is said to have open, before it opens all that it may, then, and afterwards. */

const metrics = new ProcessMetrics()
const told: Record<string, unknown>[] = []
const tell = async () =>
  told.push(Object.fromEntries((await metrics.read()).map(({ name, samples }) => [name, samples[0]?.value])))
const opened: number[] = []

await tell()
try {
  for (;;) opened.push(openSync('/dev/null', 'r'))
} catch {
  await tell()
}
for (const file of opened) closeSync(file)
await tell()
process.stdout.write(
  JSON.stringify(told.map(({ process_open_fds: open, process_max_fds: most }) => ({ open, most })))
)
