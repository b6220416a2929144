import fp from 'fastify-plugin'
import type { LogStream } from '../src/log/log-stream.ts'

/** Counts the lines of the log that are lost, which the log itself may be unable to tell. */
export default fp<{ lines: Partial<Pick<LogStream, 'lost'>> }>(
  async ({ metrics }, { lines }) => {
    metrics.watch(
      'log_lines_lost',
      'Lines of the log that were lost since the start: nobody read it, or it could not be written.',
      () => lines.lost ?? 0
    )
  },
  { fastify: '5.x', name: 'lost-lines', dependencies: ['metrics'] }
)
