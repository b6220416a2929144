import fp from 'fastify-plugin'
import type { LogStream } from '../../src/log/log-stream.ts'

/**
 * Adds metrics on whether the log cannot be written, which the log itself may be unable to say, and on how many lines
 * were lost.
 */
export default fp<{ lines: Partial<Pick<LogStream, 'lost' | 'failing'>> }>(
  async ({ metrics }, { lines }) => {
    metrics.watch(
      'log_lines_lost',
      'Lines of the log that were lost since the start: nobody read it, or it could not be written.',
      () => lines.lost ?? 0
    )
    metrics.watch(
      'log_failing',
      '1 while the log cannot be written, or lines have waited for ten seconds of which none was taken.',
      () => Number(lines.failing ?? false)
    )
  },
  { fastify: '5.x', name: 'operations/lost-lines', dependencies: ['operations/metrics'] }
)
