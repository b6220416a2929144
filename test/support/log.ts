import type { DestinationStream } from 'pino'

export interface CapturedLog {
  readonly stream: DestinationStream
  /** Everything written so far. */
  text(): string
  /** The lines with this message, parsed. */
  lines(message?: string): Record<string, unknown>[]
}

/** A log that keeps what is written. */
export function captureLog(): CapturedLog {
  let text = ''
  return {
    stream: {
      write(line) {
        text += line
      }
    },
    text: () => text,
    lines(message) {
      const all = text.split('\n').filter(line => line !== '')
      return all
        .map(line => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => message === undefined || msg === message)
    }
  }
}
