import { type DestinationStream, destination, type LoggerOptions, levels } from 'pino'
import type { Config } from '../config/schema.ts'
import { withoutTokens } from './without-tokens.ts'

/*
 * Logs by allow-list: a serializer names the few fields that are written, and the last filter takes out
 * whatever still looks like a secret, wherever in a line it stands.
 */

interface ErrorFields {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ErrorFields
}

function errorFields(error: Error & { code?: string }): ErrorFields {
  return {
    type: error.name,
    message: error.message,
    ...(error.code !== undefined && { code: String(error.code) }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause instanceof Error && { cause: errorFields(error.cause) })
  }
}

/** pino options of the service. */
export function logOptions(config: Pick<Config, 'LOG_LEVEL'>): LoggerOptions {
  return {
    level: config.LOG_LEVEL,
    base: null,
    serializers: {
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?', 1)[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: errorFields
    },
    hooks: { streamWrite: withoutTokens }
  }
}

/**
 * What writes lines of level info with one message, each as the logger would, for a third of its price: there is one for
 * every call.
 * @param logger whose level holds, which may change
 * @param lines where the log goes
 * @returns takes the fields of a line, one at least
 */
export function infoWriter(
  logger: { readonly level: string },
  msg: string,
  lines: DestinationStream
): (fields: object) => void {
  const level = levels.values.info!
  const isOn = () => (levels.values[logger.level] ?? Number.POSITIVE_INFINITY) <= level
  const begin = `{"level":${level},"time":`
  const end = `,"msg":${JSON.stringify(msg)}}\n`
  return fields => {
    if (isOn())
      lines.write(withoutTokens(`${begin}${Date.now()},${JSON.stringify(fields).slice(1, -1)}${end}`))
  }
}

/** Lines wait for so many milliseconds, or until so many characters have come. */
const FLUSH_MS = 10
const FLUSH_CHARS = 64 * 1024

/**
 * Where the lines go. Those of a few milliseconds leave in one write, which under load is a write for many calls
 * instead of one for each. Whoever ends the process calls `flushSync` last.
 * @param fd 1 or 2
 */
export function logStream(fd: number): DestinationStream & { flushSync(): void } {
  const sink = destination({ dest: fd, sync: true })
  let lines = ''
  const flushSync = () => {
    const text = lines
    lines = ''
    if (text !== '') sink.write(text)
  }
  return {
    write(line) {
      if (lines === '') setTimeout(flushSync, FLUSH_MS)
      lines += line
      if (lines.length > FLUSH_CHARS) flushSync()
    },
    flushSync
  }
}
