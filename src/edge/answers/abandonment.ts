import type { ServerResponse } from 'node:http'
import { Cancellation } from '../../base/cancellation.ts'

/**
 * @returns a cancellation that aborts when the caller goes before its answer is complete. Fastify's own request.signal
 * fires too early.
 */
export function abandonment(response: ServerResponse): Cancellation {
  const cancellation = new Cancellation()
  response.on('close', () => {
    if (!response.writableFinished) cancellation.abort()
  })
  if (response.destroyed) cancellation.abort()
  return cancellation
}
